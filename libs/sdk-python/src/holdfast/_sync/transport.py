# This file is made of _async/transport.py: change that, and run `npm run clients`.
"""Makes requests of calls and values of answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar, cast

import httpx
from httpx_sse import EventSource, SSEError

from .._answers import ServerEvent, parse_json, read_value, unreadable, value_at
from .._errors import AbortedError, ConfigurationError, ConnectionError
from .._options import CallOptions, CallSettings, Connection
from .._requests import UNSET, ApiRequest, prepare
from .._retries import delay_before
from .download import Download
from .events import EventStream
from .flavour import call_page, sleep
from .page import Page
from .sender import Sender, silent

T = TypeVar("T")
Body = TypeVar("Body")


class Transport:
    def __init__(self, connection: Connection, http: httpx.Client) -> None:
        self.connection = connection
        self._only_workspace: str | None = None
        self._sender = Sender(connection, http)

    def read(self, request: ApiRequest, kind: type[T], options: CallOptions | None) -> T:
        """Sends a call and reads one value from its JSON."""
        settings = self.connection.settings_of(options)
        body = self.json(self.send(request, settings), settings)
        return read_value(kind, value_at(body, request.value_path) if request.value_path else body)

    def send(self, request: ApiRequest, settings: CallSettings) -> httpx.Response:
        """Sends a call and gives the answer, its body unread. Raises ApiError when the server refuses the call."""
        connection = self.connection
        if request.needs_workspace and connection.workspace_id is None and request.params.get("workspaceId") in (None, UNSET):
            connection = replace(connection, workspace_id=self._find_only_workspace(settings))
        return self._sender.send(prepare(request, settings, connection), settings)

    def _find_only_workspace(self, settings: CallSettings) -> str:
        """Finds the one workspace that the key reaches, with a call of its own the first time."""
        if self._only_workspace is None:
            request = ApiRequest("listWorkspaces", "GET", "/api/v1/workspaces")
            asked = replace(settings, headers={}, idempotency_key=None, if_match=None, on_upload_progress=None)
            found: list[Any] = value_at(self.json(self.send(request, asked), asked), ("data",)) or []
            if len(found) != 1:
                names = ", ".join(f"{one['id']} ({one['name']})" for one in found)
                raise ConfigurationError(
                    "Name a workspace, by workspace_id of the call or of the client or by HOLDFAST_WORKSPACE_ID."
                    f" The key reaches {names or 'none'}."
                )
            self._only_workspace = str(found[0]["id"])
        return self._only_workspace

    def json(self, response: httpx.Response, settings: CallSettings) -> Any:
        """Reads the JSON of an answer."""
        return parse_json(self._sender.read(response, settings), response)

    def whole(self, response: httpx.Response, settings: CallSettings) -> httpx.Response:
        """An answer with its body read."""
        content = self._sender.read(response, settings)
        # The body is decoded, and has another length.
        gone = ("content-encoding", "content-length", "transfer-encoding")
        headers = [(name, value) for name, value in response.headers.multi_items() if name not in gone]
        return httpx.Response(response.status_code, headers=headers, content=content, request=response.request)

    def list(
        self, request: ApiRequest, kind: type[T], body_kind: type[Body], options: CallOptions | None
    ) -> Page[T, Body]:
        return call_page(lambda: self._page(request, kind, body_kind, options))

    def download(self, request: ApiRequest, options: CallOptions | None) -> Download:
        settings = self.connection.settings_of(options)
        response = self.send(request, settings)
        return Download(response, self._sender.stream(response, settings))

    def follow(self, request: ApiRequest, kind: type[T], options: CallOptions | None) -> EventStream[T]:
        """Follows server-sent events until the one named `done`, over as many connections as that takes."""
        wanted = replace(request, accept="text/event-stream")
        return EventStream(lambda stream: self.events(wanted, kind, options, stream))

    def events(
        self, request: ApiRequest, kind: type[T], options: CallOptions | None, stream: EventStream[T]
    ) -> Iterator[ServerEvent[T]]:
        settings = self.connection.settings_of(options)
        seen: str | None = None
        failures = 0
        while True:
            more = {} if seen is None else {"last-event-id": seen}
            cause: ConnectionError | None = None
            try:
                response = self.send(request, replace(settings, headers={**settings.headers, **more}))
                stream.attach(response)
                for event in self._read_events(response, kind, settings):
                    failures = 0
                    seen = event.id or seen
                    yield event
                    if event.event == "done":
                        return
            except ConnectionError as error:
                cause = error
            if stream.is_aborted:
                raise AbortedError() from cause
            # Without a failure the server has closed the stream, as it does when it stops.
            delay = delay_before(failures, None) or 0
            failures += 1
            if failures > max(settings.max_retries, 1):
                raise ConnectionError("The stream broke again and again. Call it anew later.") from cause
            sleep(min(delay, settings.left()))
            if stream.is_aborted:
                raise AbortedError() from cause

    def _read_events(
        self, response: httpx.Response, kind: type[T], settings: CallSettings
    ) -> Iterator[ServerEvent[T]]:
        """The events of one answer."""
        try:
            for one in EventSource(response).iter_sse():
                yield ServerEvent(one.id or None, one.event, read_value(kind, parse_json(one.data, response)))
        except SSEError as cause:
            raise unreadable(response, "no stream of events") from cause
        except httpx.TimeoutException as cause:
            raise silent(settings) from cause
        except httpx.RequestError as cause:
            raise ConnectionError("The connection broke in the middle of the answer.") from cause
        finally:
            response.close()

    def _page(
        self, request: ApiRequest, kind: type[T], body_kind: type[Body], options: CallOptions | None
    ) -> Page[T, Body]:
        settings = self.connection.settings_of(options)
        response = self.send(request, settings)
        raw = self.json(response, settings)
        body = read_value(body_kind, raw)
        items: object = body
        for name in request.items_path:
            items = getattr(items, name, None)
        if not isinstance(items, list):
            raise unreadable(response, "no list")
        cursor = value_at(raw, request.cursor_path) if request.cursor_path else None
        more = _next_params(request, raw, len(cast("list[T]", items)), cursor)
        following = replace(request, params={**request.params, **more}) if more else None
        return Page(
            cast("list[T]", items),
            body,
            cursor,
            (lambda: self._page(following, kind, body_kind, options)) if following else None,
        )


def _next_params(request: ApiRequest, raw: object, count: int, cursor: object) -> dict[str, Any] | None:
    if request.paging == "cursor" and isinstance(cursor, str):
        return {"cursor": cursor}
    pagination = value_at(raw, ("data", "pagination"))
    # A page without items would be asked for again and again.
    if request.paging != "offset" or count == 0 or value_at(pagination, ("hasMore",)) is not True:
        return None
    offset = value_at(pagination, ("offset",))
    return {"offset": (request.params.get("offset") or 0 if offset is None else offset) + count}
