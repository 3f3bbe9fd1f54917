"""One simulated learner: a browser tab's side of Streamlit's websocket protocol.

It does what the browser's client does, as far as a server can see: it names its page and query
string, keeps the messages that it is told to keep and says so, sends the values of all its widgets
with every rerun, and writes a bound widget's value into its query string.
"""

import asyncio
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

RUN_ENDS = {ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR}


@dataclass
class Run:
    """What one rerun brought: seconds to its end, bytes, messages, texts and exceptions."""

    seconds: float = 0.0
    bytes: int = 0
    messages: int = 0
    exceptions: list = field(default_factory=list)
    texts: list = field(default_factory=list)


class _Counting(ClientConnection):
    """A connection that counts the bytes that arrive, as they are on the wire."""

    wire_bytes = 0

    def data_received(self, data):
        self.wire_bytes += len(data)
        super().data_received(data)


class Learner:
    """A tab at ``address`` (``host:port``) on ``page`` with ``query``; ``keep_texts`` for tests.

    Use it as an asynchronous context manager: it opens the page on entering. Every wait gives up
    after ``timeout`` seconds with :class:`TimeoutError`.
    """

    def __init__(self, address, page="", query="", *, headers=None, keep_texts=False, timeout=30.0):
        self.address, self.page, self.query = address, page, query
        self.headers, self.keep_texts, self.timeout = headers or {}, keep_texts, timeout
        self.widgets, self.session_id = {}, ""
        self.title = ""
        self._page_hash, self._socket = "", None
        self._cached, self._runs, self._max_age = {}, 0, 2

    async def __aenter__(self):
        await self.connect()
        await self.rerun()
        return self

    async def __aexit__(self, *error):
        await self.close()

    async def connect(self):
        """Open the websocket; a second time as a browser that has lost its server."""
        protocols = ["streamlit", "PLACEHOLDER_AUTH_TOKEN"]
        if self.session_id:
            protocols.append(self.session_id)
        # The browser sends the three as one header; only the first is a protocol's name.
        self._socket = await connect(
            f"ws://{self.address}/_stcore/stream",
            origin=f"http://{self.address}",
            subprotocols=protocols,
            additional_headers=self.headers,
            # A browser offers compression; whether it is used is the server's choice.
            compression="deflate",
            create_connection=_Counting,
            max_size=None,
            ping_interval=None,
            open_timeout=self.timeout,
        )

    def forget(self):
        """Forget everything but the address, as a tab does that is loaded anew."""
        self.widgets, self._page_hash, self.title = {}, "", ""
        self._cached, self._runs = {}, 0

    async def lost_within(self, seconds):
        """Wait; returns at once, and true, where the connection is lost meanwhile."""
        try:
            await asyncio.wait_for(self._socket.wait_closed(), seconds)
        except TimeoutError:
            return False
        return True

    async def close(self):
        """Close the tab."""
        if self._socket is not None:
            await self._socket.close()

    def slider(self, key):
        """The slider bound to ``key`` in the query string, as its protobuf message."""
        for element in self.widgets.values():
            if element.query_param_key == key:
                return element
        raise KeyError(key)

    def set_slider(self, key, value):
        """Move the slider ``key`` to ``value`` (a number, or an option's place in a list)."""
        slider = self.slider(key)
        slider.value[:] = [value]
        query = dict(parse_qsl(self.query))
        if list(slider.value) == list(slider.default):
            query.pop(key, None)
        else:
            query[key] = slider.options[int(value)] if slider.options else f"{value:g}"
        self.query = urlencode(query)

    async def move(self, key, value):
        """Move a slider and wait until the page has been redrawn."""
        self.set_slider(key, value)
        return await self.rerun()

    async def rerun(self):
        """Ask for a rerun and take all its messages; returns its :class:`Run`."""
        started = time.perf_counter()
        await self.send()
        run = await asyncio.wait_for(self.finish(), self.timeout)
        run.seconds = time.perf_counter() - started
        return run

    async def send(self):
        """Ask for a rerun without waiting for it."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string = self.query
        if self._page_hash:
            state.page_script_hash = self._page_hash
        else:
            state.page_name = self.page
        for name, slider in self.widgets.items():
            widget = state.widget_states.widgets.add()
            widget.id = name
            if slider.options:
                chosen = [slider.options[int(place)] for place in slider.value]
                widget.string_array_value.data.extend(chosen)
            else:
                widget.double_array_value.data.extend(slider.value)
        state.cached_message_hashes.extend(self._cached)
        context = state.context_info
        context.timezone, context.locale, context.color_scheme = "Etc/UTC", "en", "light"
        context.url = f"http://{self.address}/{self.page}"
        await self._socket.send(message.SerializeToString())

    async def finish(self):
        """Take messages up to the end of a rerun."""
        run, before = Run(), self._socket.wire_bytes
        while True:
            data = await self._socket.recv()
            run.messages += 1
            message = ForwardMsg.FromString(data)
            kind = message.WhichOneof("type")
            if message.metadata.cacheable:
                self._cached[message.hash] = self._runs, message
            if kind == "ref_hash":
                message = self._from_cache(message)
                kind = "delta"
            if kind == "delta":
                self._take(message.delta, run)
            elif kind == "new_session":
                self._page_hash = message.new_session.page_script_hash
                self.session_id = message.new_session.initialize.session_id
                self._max_age = message.new_session.config.max_cached_message_age
            elif kind == "navigation":
                self._page_hash = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "script_finished" and message.script_finished in RUN_ENDS:
                self._grow_older()
                run.bytes = self._socket.wire_bytes - before
                return run

    def _from_cache(self, reference):
        _, message = self._cached[reference.ref_hash]
        self._cached[reference.ref_hash] = self._runs, message
        return message

    def _grow_older(self):
        self._runs += 1
        self._cached = {
            name: (seen, message)
            for name, (seen, message) in self._cached.items()
            if self._runs - seen <= self._max_age
        }

    def _take(self, delta, run):
        if delta.WhichOneof("type") != "new_element":
            return
        element = delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            run.exceptions.append(element.exception.message)
        elif kind == "heading" and element.heading.tag == "h1":
            self.title = element.heading.body
        elif kind == "slider":
            slider = element.slider
            if slider.set_value and slider.options:
                slider.value[:] = [list(slider.options).index(raw) for raw in slider.raw_value]
            elif not slider.set_value:
                slider.value[:] = slider.default
            if slider.set_value or slider.id not in self.widgets:
                self.widgets[slider.id] = slider
        if self.keep_texts:
            run.texts.append(element)
