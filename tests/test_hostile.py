"""Hostile visitors: links, addresses, uploads and websocket messages that nobody honest sends.

After each of them the visitor has seen no traceback, nobody else's data, and the server answers.
"""

import asyncio
import contextlib
import re
import urllib.error
import urllib.request
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.testing.v1 import AppTest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from benchmarks.load.learner import Learner
from benchmarks.load.server import APP, Server
from specdec.setting import DRAFT_MS, OPENING
from specdec.ui.pages import PAGES

PAGE_NAMES = [name for name, *_ in PAGES]
NAMES = ["kept", "k", "draft", "users", "p", "q", "chip", "big", "present", "place", "x", "a" * 300]
MARKUP = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "$\\href{javascript:alert(1)}{x}$",
    ":material/home: **bold** :red[red]",
    "%3Cscript%3E",
    "../../etc/passwd",
    "80; DROP TABLE",
    "\x00",
    "\u202e80",
    "٨٠",
    "1e400",
    "-1",
    "nan",
    "Infinity",
    "0x50",
    "9" * 5000,
    "",
]
values = st.one_of(
    st.sampled_from(MARKUP), st.integers().map(str), st.floats().map(str), st.text(max_size=60)
)
queries = st.dictionaries(
    st.sampled_from(NAMES), st.lists(values, min_size=1, max_size=3), max_size=5
)
TRACEBACK = re.compile(r"Traceback|File \"|site-packages|\.py\"|line \d+, in ")


@pytest.mark.parametrize("page", PAGE_NAMES)
def test_no_link_breaks_a_page(page):
    @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
    @given(queries)
    @example({name: ["<script>alert(1)</script>"] for name in NAMES})
    @example({name: ["80", "<b>", "-1"] for name in NAMES})
    def opened(query):
        at = AppTest.from_file(str(APP.parent / "pages" / f"{page}.py"), default_timeout=60)
        for name, texts in query.items():
            at.query_params[name] = texts
        at.run()
        assert not at.exception
        assert 0 <= at.slider(key="kept").value <= 100
        assert 1 <= at.slider(key="k").value <= 32
        assert 1 <= at.slider(key="users").value <= 256
        assert float(at.select_slider(key="draft").value) in DRAFT_MS
        assert all(not shown.allow_html for shown in [*at.markdown, *at.caption])

    opened()


@pytest.mark.parametrize("page", ["sampling", "measured", "check", "beyond"])
@pytest.mark.parametrize("typed", [text for text in MARKUP if "\x00" not in text])
def test_what_is_typed_is_shown_as_text(page, typed):
    at = AppTest.from_file(str(APP.parent / "pages" / f"{page}.py"), default_timeout=60).run()
    for place in range(len(at.text_input) + len(at.text_area)):
        fields = [*at.text_input, *at.text_area]
        if place >= len(fields):
            break
        fields[place].set_value(typed).run()
        assert not at.exception
        for shown in [*at.error, *at.warning, *at.info, *at.markdown, *at.caption]:
            assert not getattr(shown, "allow_html", False)
            if any(sign in typed for sign in "<[$:"):
                assert typed not in shown.value


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    log = tmp_path_factory.mktemp("server") / "log"
    with Server(log=log) as running:
        yield running


@pytest.fixture(autouse=True)
def still_there(request):
    """The server answers after every test that used it."""
    yield
    if "server" in request.fixturenames:
        running = request.getfixturevalue("server")
        assert running.process.poll() is None
        assert running.healthy()


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


CUT_OFF = 0  # in place of a status: the server would not read on, which is a refusal too


def ask(server, path, data=None, method=None, headers=None):
    """Status and body of a request whose path goes out as it is."""
    asked = urllib.request.Request(
        f"http://{server.address}/", data=data, method=method, headers=headers or {}
    )
    asked.selector = path
    try:
        with urllib.request.build_opener(_Stay).open(asked, timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()
    except (urllib.error.URLError, ConnectionError):
        return CUT_OFF, b""


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/pages/costs.py",
        "/streamlit_app.py",
        "/.streamlit/config.toml",
        "/static/../streamlit_app.py",
        "/static/%2e%2e/%2e%2e/config.py",
        "/app/static/../streamlit_app.py",
        "/media/../streamlit_app.py",
        "/component/../../streamlit_app.py",
        "/costs/../../../etc/passwd",
        "/\\..\\..\\etc\\passwd",
        "/%00",
        "/" + "a" * 6000,
        "/costs?" + "kept=1&" * 800,
        "/_stcore/agent/interact",
    ],
)
def test_no_path_gives_a_file_away(server, path):
    status, body = ask(server, path)
    assert status < 500
    text = body.decode(errors="replace")
    assert "root:" not in text
    assert "freeze_imports" not in text
    assert "from specdec" not in text
    assert "maxUploadSize" not in text
    assert not TRACEBACK.search(text)


def multipart(name, content):
    return (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="' + name + b'"\r\n'
        b"Content-Type: application/octet-stream\r\n\r\n" + content + b"\r\n--b--\r\n"
    )


@pytest.mark.parametrize("size", [0, 1, 5 * 2**20, 5 * 2**20 + 1, 40 * 2**20])
@pytest.mark.parametrize("session", ["nobody", "../../etc/passwd", "%2e%2e"])
def test_an_upload_without_a_session_and_a_token_is_refused(server, size, session):
    status, body = ask(
        server,
        f"/_stcore/upload_file/{session}/file",
        data=multipart(b"../../x.csv", b"x" * size),
        method="PUT",
        headers={"Content-Type": "multipart/form-data; boundary=b"},
    )
    assert 400 <= status < 500 or (status == CUT_OFF and size > 2**20)
    assert not TRACEBACK.search(body.decode(errors="replace"))


def test_an_upload_above_the_limit_is_refused_to_an_honest_visitor_too(server):
    async def visit():
        async with Learner(server.address, "measured") as learner:
            return await asyncio.to_thread(upload, learner.session_id)

    def upload(session):
        token, cookie = xsrf(server)
        headers = {
            "Content-Type": "multipart/form-data; boundary=b",
            "Cookie": cookie,
            "X-Xsrftoken": token,
        }
        return [
            ask(
                server,
                f"/_stcore/upload_file/{session}/f{size}",
                data=multipart(b"a.csv", b"x" * size),
                method="PUT",
                headers=headers,
            )[0]
            for size in (10, 5 * 2**20 + 4096)
        ]

    small, large = asyncio.run(visit())
    assert small in (200, 204)
    assert large in (413, CUT_OFF)


def xsrf(server):
    """The token that the server gives a browser, and the cookie that holds it."""
    with urllib.request.urlopen(f"http://{server.address}/_stcore/health", timeout=10) as answer:
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
    return cookie.partition("=")[2], cookie


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://127.0.0.1.evil.example", "null", "file://"]
)
def test_another_sites_page_gets_no_websocket(server, origin):
    async def knock():
        async with connect(f"ws://{server.address}/_stcore/stream", origin=origin) as socket:
            await socket.recv()

    with pytest.raises((InvalidStatus, ConnectionClosed)):
        asyncio.run(knock())


def test_another_sites_page_may_not_read_answers(server):
    asked = urllib.request.Request(
        f"http://{server.address}/_stcore/health", headers={"Origin": "http://evil.example"}
    )
    with urllib.request.urlopen(asked, timeout=10) as answer:
        assert answer.headers.get("Access-Control-Allow-Origin") in (None, "")


def spoiled():
    """Messages that no browser sends."""
    message = BackMsg()
    state = message.rerun_script
    for kind in ("string_value", "double_array_value", "string_array_value", "int_value"):
        widget = state.widget_states.widgets.add()
        widget.id = f"$$ID-0-{kind}"
    widget.int_value = 2**62
    state.page_name = "../../etc/passwd"
    state.page_script_hash = "<script>"
    state.query_string = "kept=%FF%FE&" + "&".join(f"k={i}" for i in range(2000))
    state.cached_message_hashes.extend(["x"] * 5000)
    return message.SerializeToString()


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff" * 1000, b"\x08\x01", spoiled(), "text", b"\x00" * (9 * 2**20)],
    ids=["empty", "noise", "clear the cache", "spoiled", "a text frame", "nine megabytes"],
)
def test_no_message_brings_a_traceback_back_or_the_server_down(server, data):
    async def send():
        learner = Learner(server.address, "costs", keep_texts=True)
        async with learner:
            await learner._socket.send(data)
            seen = b""
            with contextlib.suppress(ConnectionClosed, TimeoutError):
                while True:
                    seen += await asyncio.wait_for(learner._socket.recv(), 1)
            return seen

    assert not TRACEBACK.search(asyncio.run(send()).decode(errors="replace"))


def test_a_slider_beyond_its_ends_or_of_another_type_shows_no_traceback(server):
    async def visit(value):
        async with Learner(server.address, "users") as learner:
            learner.slider("kept").value[:] = value
            return await learner.rerun()

    for value in ([1e308], [float("nan")], [-5.0], [], [1.0, 2.0, 3.0], [50.5]):
        run = asyncio.run(visit(value))
        assert not any(TRACEBACK.search(words) for words in run.exceptions)


def test_two_visitors_never_see_each_others_setting(server):
    async def visit(number):
        kept, users = 10 + number, 100 + number
        query = urlencode({"kept": kept, "users": users})
        async with Learner(server.address, "costs", query, keep_texts=True) as learner:
            for _ in range(6):
                run = await learner.rerun()
                lines = [e.markdown.body for e in run.texts if e.WhichOneof("type") == "markdown"]
                mine = [line for line in lines if re.match(r"\d+%? kept|\d+\\?% kept", line)]
                assert mine, lines
                assert all(line.startswith(f"{kept}") for line in mine)
                assert any(f"{users} users" in line for line in mine)

    async def all_of_them():
        await asyncio.gather(*(visit(number) for number in range(12)))

    asyncio.run(all_of_them())


def test_thousands_of_quick_reruns_from_one_visitor(server):
    """Sent without waiting: the server may skip some, but ends at the last one's setting."""

    async def hammer():
        async with Learner(server.address, "start") as learner:

            async def listen():
                while True:
                    await learner.finish()

            listener = asyncio.create_task(listen())
            for number in range(2000):
                learner.set_slider("kept", number % 101)
                await learner.send()
                if number % 50 == 0:
                    await asyncio.sleep(0)
            assert not listener.done()
            listener.cancel()
        # Another visitor is served, at the opening setting.
        async with Learner(server.address, "start") as other:
            assert list(other.slider("kept").value) == [OPENING.kept]

    asyncio.run(asyncio.wait_for(hammer(), 120))
