"""The settings of a client and of one call."""

from __future__ import annotations

import logging
import os
import platform
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal, TypedDict, cast
from urllib.parse import urlsplit

from ._errors import ConfigurationError
from ._version import version


@dataclass(frozen=True)
class LogEntry:
    """One line of the log: a request that was sent, or what came of it. Headers that open something are masked."""

    level: Literal["debug", "info", "warn"]
    message: str
    verb: str
    url: str
    attempt: int
    headers: dict[str, str]
    status: int | None = None
    request_id: str | None = None
    duration: float | None = None
    """In seconds."""


@dataclass(frozen=True)
class UploadProgress:
    """How much of an upload was sent. `total_bytes` is None where a stream does not tell its length."""

    sent_bytes: int
    total_bytes: int | None


class CallOptions(TypedDict, total=False):
    """Settings of one call; they win over those of the client."""

    timeout: float
    """The longest wait for an answer, or between two parts of a stream, in seconds."""
    max_retries: int
    """How often a call that may be repeated is repeated."""
    headers: Mapping[str, str]
    idempotency_key: str
    """Has 1 to 255 printable characters. Without it the client makes one where the API takes one, so that a retry does nothing twice."""
    if_match: str
    """The ETag of what the caller has read: the change is refused with 412 when somebody was faster."""
    on_upload_progress: Callable[[UploadProgress], object]


class TimedOptions(CallOptions, total=False):
    """Settings of a call that ends, with all its tries, at a moment of the monotonic clock."""

    until: float


@dataclass(frozen=True)
class CallSettings:
    """The settings of one call with every default filled in."""

    timeout: float
    max_retries: int
    headers: Mapping[str, str] = field(default_factory=lambda: {})
    idempotency_key: str | None = None
    if_match: str | None = None
    on_upload_progress: Callable[[UploadProgress], object] | None = None
    until: float | None = None

    def left(self) -> float:
        """The longest wait from now on, in seconds."""
        return self.timeout if self.until is None else min(self.timeout, max(self.until - monotonic(), 0.001))

    def is_over_in(self, delay: float) -> bool:
        return self.until is not None and monotonic() + delay >= self.until


@dataclass(frozen=True)
class Connection:
    """The settings of a client with every default filled in."""

    base_url: str
    api_key: str | None = field(repr=False)
    workspace_id: str | None
    timeout: float
    max_retries: int
    headers: dict[str, str] = field(repr=False)
    logger: Callable[[LogEntry], object] | None

    def settings_of(self, options: CallOptions | None) -> CallSettings:
        given = cast(TimedOptions, options or {})
        return CallSettings(
            timeout=check_timeout(given.get("timeout", self.timeout)),
            max_retries=_check_retries(given.get("max_retries", self.max_retries)),
            headers=given.get("headers") or {},
            idempotency_key=given.get("idempotency_key"),
            if_match=given.get("if_match"),
            on_upload_progress=given.get("on_upload_progress"),
            until=given.get("until"),
        )


def read_connection(
    base_url: str | None,
    api_key: str | None,
    workspace_id: str | None,
    timeout: float,
    max_retries: int,
    headers: Mapping[str, str] | None,
    user_agent: str | None,
    logger: Callable[[LogEntry], object] | None,
) -> Connection:
    """Checks the settings and fills in the defaults. Raises ConfigurationError."""
    address = base_url or os.environ.get("HOLDFAST_URL") or "http://localhost:3000"
    key = api_key if api_key is not None else os.environ.get("HOLDFAST_API_KEY") or None
    if not _is_address(address):
        raise ConfigurationError(f'base_url must be an address with http or https, and is "{address}".')
    if key is not None and not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ConfigurationError("api_key has a space, a line end or another character that no key has.")
    own = f"holdfast-sdk-python/{version} python/{platform.python_version()}"
    return Connection(
        # Every path begins with a slash.
        base_url=address.rstrip("/"),
        api_key=key,
        workspace_id=workspace_id or os.environ.get("HOLDFAST_WORKSPACE_ID") or None,
        timeout=check_timeout(timeout),
        max_retries=_check_retries(max_retries),
        headers={
            "user-agent": f"{user_agent} {own}" if user_agent else own,
            **{name.lower(): value for name, value in (headers or {}).items()},
        },
        logger=logger,
    )


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        # A name and a password in an address would stand in every log.
        return (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.username is None
            and not re.search(r"[\s\x00-\x1f]", text)
            and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        return False


def check_timeout(value: float) -> float:
    # None of httpx means no end, and True is a number in Python.
    if isinstance(value, bool) or not isinstance(cast(object, value), (int, float)) or not 0 < value < float("inf"):
        raise ConfigurationError("timeout must be a number of seconds above 0.")
    return float(value)


def _check_retries(value: int) -> int:
    if isinstance(value, bool) or not isinstance(cast(object, value), int) or value < 0:
        raise ConfigurationError("max_retries must be a whole number from 0.")
    return value


_log = logging.getLogger("holdfast")
# Without it, Python would print warnings of a program that has set up no log.
_log.addHandler(logging.NullHandler())
_levels = {"debug": logging.DEBUG, "info": logging.INFO, "warn": logging.WARNING}
_masked = {"x-api-key", "authorization", "proxy-authorization", "cookie", "idempotency-key"}


def is_logged(connection: Connection, level: Literal["debug", "info", "warn"]) -> bool:
    return connection.logger is not None or _log.isEnabledFor(_levels[level])


def mask(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers as a log may show them."""
    return {name: "***" if name.lower() in _masked else value for name, value in headers.items()}


def write_log(connection: Connection, entry: LogEntry) -> None:
    """Gives an entry to the caller's logger, and to the logger `holdfast` of Python."""
    if connection.logger is not None:
        connection.logger(entry)
    level = _levels[entry.level]
    if _log.isEnabledFor(level):
        _log.log(level, "%s %s: %s", entry.verb, entry.url, entry.message, extra={"holdfast": entry})
