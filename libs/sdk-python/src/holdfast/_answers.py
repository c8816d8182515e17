"""Makes values of answers."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, cast, get_args, get_origin
from urllib.parse import unquote

import httpx
from pydantic import BaseModel, TypeAdapter, ValidationError

from ._errors import ApiError, ErrorDetail, Refusal, UnreadableAnswerError, error_of
from ._retries import read_retry_after

T = TypeVar("T")

ANY = cast("type[Any]", Any)
"""Any JSON, as the type of a value."""


@dataclass(frozen=True)
class ServerEvent(Generic[T]):
    """One server-sent event."""

    id: str | None
    event: str
    data: T


@dataclass(frozen=True)
class WithResponse(Generic[T]):
    """What came back: the value, and the answer that held it."""

    data: T
    response: httpx.Response

    @property
    def request_id(self) -> str | None:
        """Names the request in the server's log."""
        return header_of(self.response, "x-request-id")


def header_of(response: httpx.Response, name: str) -> str | None:
    value: object = response.headers.get(name)
    return value if isinstance(value, str) else None


first_response: ContextVar[list[httpx.Response] | None] = ContextVar("holdfast_first_response", default=None)
"""Where the answer of a call is put down for a caller who wants more of it than its value."""


@lru_cache(maxsize=None)
def _adapter_of(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def read_value(kind: type[T], value: object) -> T:
    """A value of JSON as a model. One that lacks a member, or has another type there, is still given, since the work behind it is done."""
    if kind is ANY:
        return cast(T, value)
    try:
        return cast(T, _adapter_of(cast(Any, kind)).validate_python(value))
    except ValidationError:
        return cast(T, _construct(kind, value))


def _construct(kind: Any, value: object) -> object:
    """A value as far as its type fits; None in place of what is missing."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _construct(arguments[0], value)
    if origin in (Union, UnionType):
        model = next((one for one in arguments if _is_model(one)), None)
        return _construct(model, value) if model is not None else value
    if origin is list and isinstance(value, list):
        return [_construct(arguments[0], one) for one in cast("list[object]", value)]
    if not (_is_model(kind) and isinstance(value, dict)):
        return value
    given = dict(cast("dict[str, object]", value))
    members: dict[str, object] = {}
    for name, field in cast("type[BaseModel]", kind).model_fields.items():
        members[name] = _construct(field.annotation, given.pop(field.alias or name, None))
    known = {name for name, member in members.items() if member is not None}
    return cast("type[BaseModel]", kind).model_construct(known | set(given), **given, **members)


def _is_model(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def parse_json(text: str | bytes, response: httpx.Response) -> Any:
    try:
        return json.loads(text)
    except ValueError as cause:
        raise unreadable(response, "no JSON") from cause


def unreadable(response: httpx.Response, what: str) -> UnreadableAnswerError:
    kind = response.headers.get("content-type", "no content type")
    return UnreadableAnswerError(
        response.status_code,
        f"The answer is {what} ({kind}). Check that {origin_of(response.request.url)} is the address of a Holdfast installation.",
    )


def value_at(body: object, path: Sequence[str]) -> Any:
    """The value at a path of member names; None where a member is missing."""
    for name in path:
        body = cast("Mapping[str, object]", body).get(name) if isinstance(body, dict) else None
    return body


def read_refusal(response: httpx.Response, text: bytes) -> ApiError:
    status, headers = response.status_code, response.headers
    body = _parse_object(text)
    named = headers.get("x-request-id") or body.get("requestId")
    request_id = named if isinstance(named, str) else None
    message, code = body.get("error"), body.get("code")
    details = _read_details(body.get("details"))
    if not isinstance(message, str):
        message, code, details = _foreign_message(response), None, _read_details(None)
    known = code if isinstance(code, str) else f"HTTP_{status}"
    return error_of(Refusal(status, known, message, request_id, details, headers, read_retry_after(headers)))


def _foreign_message(response: httpx.Response) -> str:
    """Of a refusal that is not in the shape of Holdfast: a proxy's, or another server's."""
    origin = origin_of(response.request.url)
    if 300 <= response.status_code < 400:
        place = response.headers.get("location", "another address")
        return f"{origin} leads to {place}. Set base_url to the address that answers."
    return (
        f"{origin} answered {response.status_code} in a form that is not Holdfast's. "
        "Check the address, and what stands before the server."
    )


def _read_details(value: object) -> Sequence[ErrorDetail]:
    if not isinstance(value, list):
        return []
    listed = cast("list[object]", value)
    details = [cast("dict[str, Any]", one) for one in listed if isinstance(one, dict)]
    return [
        ErrorDetail(
            str(one.get("path", "")),
            str(one.get("message", "")),
            str(one.get("code", "")),
            one.get("blockId"),
            one.get("rowId"),
            one.get("position"),
        )
        for one in details
    ]


def _parse_object(text: bytes) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def origin_of(url: httpx.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode()}"


def filename_of(headers: httpx.Headers) -> str | None:
    """The name that the server proposes for a file."""
    header = headers.get("content-disposition", "")
    encoded = re.search(r"filename\*=UTF-8''([^;]+)", header, re.IGNORECASE)
    if encoded:
        return unquote(encoded[1])
    plain = re.search(r'filename="?([^";]+)"?', header, re.IGNORECASE)
    return plain[1] if plain else None


def cut(response: httpx.Response) -> None:
    """Breaks the connection of an answer, so that whoever reads it stops at once."""
    stream = response.extensions.get("network_stream")
    connected = stream.get_extra_info("socket") if stream else None
    if connected is not None:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)
