"""Makes requests of calls."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal, cast
from urllib.parse import quote, urlencode

from pydantic import BaseModel

from ._errors import ConfigurationError
from ._options import CallSettings, Connection
from ._uploads import Content, FileInput, UploadBody, content_body, form_body


class Unset:
    """What a member has that the caller leaves out, where null has a meaning of its own."""

    def __repr__(self) -> str:
        return "UNSET"


UNSET = Unset()


@dataclass(frozen=True)
class ApiRequest:
    """One call: what the method of an operation knows of it."""

    id: str
    verb: str
    path: str
    params: Mapping[str, Any] = field(default_factory=lambda: {})
    query_names: Sequence[str] | None = None
    """The parameters that stand in the address where the others are the body."""
    nulls: Sequence[str] = ()
    """The members that may be sent as null."""
    body: Literal["json", "files", "content"] | None = None
    content: Content | None = None
    content_type: str = "application/octet-stream"
    """The type of a content for which the caller names none."""
    workspace_in: Literal["query", "body"] | None = None
    needs_workspace: bool = False
    idempotent: bool = False
    value_path: Sequence[str] = ()
    items_path: Sequence[str] = ()
    """Of a page: the attributes of the answer that lead to its items."""
    cursor_path: Sequence[str] = ()
    paging: Literal["cursor", "offset", "single"] = "single"
    accept: str = "application/json"


@dataclass(frozen=True)
class PreparedRequest:
    """A call that is ready to be sent."""

    verb: str
    url: str
    headers: dict[str, str]
    json: bytes | None
    upload: UploadBody | None
    is_repeatable: bool


def segment(value: str | int) -> str:
    """A value as one segment of a path."""
    text = str(value)
    # `..` would lead to another path, and an empty segment to another operation.
    if text in ("", ".", ".."):
        raise ConfigurationError(f'An id is missing: "{text}" cannot stand in a path.')
    return quote(text, safe="")


def prepare(request: ApiRequest, settings: CallSettings, connection: Connection) -> PreparedRequest:
    if not request.path.startswith("/"):
        raise ConfigurationError(f'A path begins with a slash, and "{request.path}" does not.')
    params = {
        name: value
        for name, value in request.params.items()
        if value is not UNSET and (value is not None or name in request.nulls)
    }
    if request.workspace_in and connection.workspace_id is not None:
        params.setdefault("workspaceId", connection.workspace_id)
    query, body = _split(request, params)
    headers = {"accept": request.accept, **connection.headers}
    if connection.api_key is not None:
        headers["x-api-key"] = connection.api_key
    headers.update((name.lower(), value) for name, value in settings.headers.items())
    if settings.if_match is not None:
        headers["if-match"] = settings.if_match
    key = settings.idempotency_key or (f"sdk-{uuid.uuid4()}" if request.idempotent else None)
    if key is not None:
        headers["idempotency-key"] = key
    upload = _upload_of(request, body)
    text: bytes | None = None
    if upload is not None:
        headers["content-type"] = upload.content_type
        if upload.total_bytes is not None:
            headers["content-length"] = str(upload.total_bytes)
    elif request.body in ("json", "files"):
        headers["content-type"] = "application/json"
        text = write_json(body)
    does_nothing_twice = request.verb in ("GET", "PUT") or key is not None
    return PreparedRequest(
        request.verb,
        f"{connection.base_url}{request.path}{query}",
        headers,
        text,
        upload,
        does_nothing_twice and (upload is None or upload.is_repeatable),
    )


def _split(request: ApiRequest, params: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    if request.body is not None and not request.query_names:
        return "", dict(params)
    query: list[tuple[str, str]] = []
    rest: dict[str, Any] = {}
    for name, value in params.items():
        if request.body is None or name in (request.query_names or ()):
            query.append((name, _query_text(value)))
        else:
            rest[name] = value
    return (f"?{urlencode(query)}" if query else ""), rest


def _query_text(value: Any) -> str:
    """A list in an address has commas, an object is JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, (list, tuple)):
        parts = cast("Sequence[Any]", value)
        if all(isinstance(one, (str, int, float)) for one in parts):
            return ",".join(_query_text(one) for one in parts)
    if isinstance(value, date):
        return value.isoformat()
    return write_json(value).decode()


def _upload_of(request: ApiRequest, body: dict[str, Any]) -> UploadBody | None:
    if request.body == "content":
        type = body.get("contentType") or request.content_type
        return content_body(b"" if request.content is None else request.content, str(type))
    files = body.pop("files", None) if request.body == "files" else None
    if files is None:
        return None
    listed: list[FileInput] = list(cast("Sequence[FileInput]", files)) if isinstance(files, (list, tuple)) else [files]
    fields = {name: value if isinstance(value, str) else write_json(value).decode() for name, value in body.items()}
    return form_body(fields, listed)


def write_json(value: Any) -> bytes:
    """A value as JSON. Models, dates and ids are written as the API writes them. Raises ConfigurationError."""
    try:
        return json.dumps(
            value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
        ).encode()
    except (TypeError, ValueError, RecursionError) as cause:
        raise ConfigurationError(f"What is to be sent cannot be written as JSON: {cause}.") from cause


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    raise TypeError(f"a value of type {type(value).__name__} has no form in JSON")
