"""``python -m specdec.measured``: as a person and as a script would run it."""

import io
import json
import subprocess
import sys

import pytest

from specdec.measured import example_files
from specdec.measured.__main__ import main


@pytest.mark.parametrize("name", example_files())
def test_every_example_is_read(name, capsys):
    assert main([example_files()[name]]) == 0
    out, err = capsys.readouterr()
    assert "tokens per big pass" in out
    assert err == ""


def test_json_holds_the_documented_fields(capsys):
    assert main(["--json", example_files()["vLLM log"]]) == 0
    (file,) = json.loads(capsys.readouterr().out)
    (run,) = file["runs"]
    documented = "engine k rounds drafted accepted acceptance_rate tokens_per_pass per_position"
    documented += " keep_rate keep_rate_interval warnings name format used left_out"
    assert set(documented.split()) <= set(run)
    assert run["k"] == 4
    assert len(run["per_position"]) == 4


def test_k_can_be_given(capsys, tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("Decode batch, #running-req: 1, accept len: 2.44, cuda graph: True\n")
    assert main([str(path)]) == 0
    assert "give it to get a keep rate" in capsys.readouterr().out
    assert main([str(path), "--k", "2"]) == 0
    assert "keep rate a             0.800" in capsys.readouterr().out


def test_several_files_and_one_of_them_bad(capsys, tmp_path):
    bad = tmp_path / "noise.log"
    bad.write_text("nothing here\n")
    assert main([example_files()["CSV of rounds"], str(bad)]) == 1
    out, err = capsys.readouterr()
    assert "rounds.csv ==" in out
    assert err.count("\n") == 1
    assert "recognises nothing" in err


@pytest.mark.parametrize(
    ("data", "why"),
    [(b"hello\n", "recognises nothing"), (b"\x00\x01" * 50, "binary"), (b"", "nothing to read")],
)
def test_bad_files_are_one_sentence_and_status_one(data, why, capsys, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(data)
    for arguments in ([str(path)], ["--json", str(path)]):
        assert main(arguments) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert why in err
        assert err.count("\n") == 1


def test_missing_file_and_folder(capsys, tmp_path):
    for path in (tmp_path / "missing", tmp_path):
        assert main([str(path)]) == 1
        assert "cannot be read" in capsys.readouterr().err


def test_too_large_a_file(capsys, tmp_path):
    path = tmp_path / "large.log"
    path.write_bytes(b"x" * (6 * 2**20))
    assert main([str(path)]) == 1
    assert "at most 5 MB" in capsys.readouterr().err


def test_standard_input(capsys, monkeypatch):
    data = io.TextIOWrapper(io.BytesIO(b"round,drafted,kept\n1,2,1\n"))
    monkeypatch.setattr(sys, "stdin", data)
    assert main(["-"]) == 0
    assert "CSV of rounds, k = 2" in capsys.readouterr().out


def test_as_a_module_through_a_pipe():
    run = subprocess.run(
        [sys.executable, "-m", "specdec.measured", "-"],
        input=b"no numbers here",
        capture_output=True,
        check=False,
    )
    assert run.returncode == 1
    assert run.stdout == b""
    assert b"Traceback" not in run.stderr
    assert run.stderr.count(b"\n") == 1
