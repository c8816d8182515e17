"""The errors of the client. Each has a code and a sentence that says what to do."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from dataclasses import dataclass

import httpx


@dataclass(frozen=True)
class ErrorDetail:
    """One thing that is wrong with a request: the field, the rule that it breaks, and a sentence."""

    path: str
    message: str
    code: str
    block_id: str | None = None
    row_id: str | None = None
    position: int | None = None


class HoldfastError(Exception):
    """Every error that this client raises. The message is a sentence that says what to do."""

    code: str
    """A stable upper-case word for programs."""
    message: str

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class ConfigurationError(HoldfastError):
    """The client was set up or called wrongly; nothing was sent."""

    def __init__(self, message: str) -> None:
        super().__init__("CONFIGURATION", message)


class ConnectionError(HoldfastError, builtins.ConnectionError):
    """No answer came: the server is away, or the connection broke. It is a ConnectionError of Python too."""

    def __init__(self, message: str, code: str = "CONNECTION_FAILED") -> None:
        super().__init__(code, message)


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """The answer, or the next part of it, did not come in time. The server may have done the work all the same."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "TIMEOUT")


class AbortedError(HoldfastError):
    """The caller aborted a stream."""

    def __init__(self) -> None:
        super().__init__("ABORTED", "The call was aborted by its caller.")


class FileReadError(HoldfastError):
    """A file or a stream of the caller could not be read while it was sent."""

    def __init__(self, name: str) -> None:
        super().__init__(
            "FILE_UNREADABLE", f"{name} could not be read while it was sent. Check that it still exists."
        )


class UnreadableAnswerError(HoldfastError):
    """The answer is not what Holdfast sends: most often the address belongs to something else."""

    status: int

    def __init__(self, status: int, message: str) -> None:
        super().__init__("UNREADABLE_ANSWER", message)
        self.status = status


class WebhookError(HoldfastError):
    """The event is not from its sender, was changed, or is too old."""

    def __init__(self, message: str) -> None:
        super().__init__("WEBHOOK_INVALID", message)


@dataclass(frozen=True)
class Refusal:
    """What the server said when it refused a call."""

    status: int
    code: str
    message: str
    request_id: str | None
    details: Sequence[ErrorDetail]
    headers: httpx.Headers
    retry_after: float | None


class ApiError(HoldfastError):
    """The server refused the call."""

    status: int
    request_id: str | None
    """Names the request in the server's log."""
    details: Sequence[ErrorDetail]
    headers: httpx.Headers
    retry_after: float | None
    """How long the server asks to wait, in seconds."""

    def __init__(self, refusal: Refusal) -> None:
        # The sentence of the server has its first fault already, with a capital or a full stop of its own.
        is_said = any(one.message[1:] in refusal.message for one in refusal.details[:1])
        named = refusal.details[1:] if is_said else refusal.details
        fields = [f"{one.path}: {one.message}" if one.path else one.message for one in named]
        super().__init__(refusal.code, refusal.message + (f" ({'; '.join(fields)})" if fields else ""))
        self.status = refusal.status
        self.request_id = refusal.request_id
        self.details = refusal.details
        self.headers = refusal.headers
        self.retry_after = refusal.retry_after


class InvalidRequestError(ApiError):
    """400: a field is wrong; `details` names each."""


class AuthenticationError(ApiError):
    """401: there is no such key, or it is revoked or expired."""


class UsageLimitError(ApiError):
    """402: a limit of the plan or of the member is reached."""


class PermissionError(ApiError, builtins.PermissionError):
    """403: the key may not do this. It is a PermissionError of Python too."""


class NotFoundError(ApiError):
    """404: there is no such thing, or it belongs to another workspace."""


class ConflictError(ApiError):
    """409: the present state does not allow the call; `code` says why."""


class OutdatedError(ApiError):
    """412: somebody has changed the thing since it was read."""


class IdempotencyKeyReusedError(ApiError):
    """422: the Idempotency-Key was used with another body, or by somebody else."""


class RateLimitError(ApiError):
    """429: too many calls; `retry_after` says how long to wait."""


class ServerError(ApiError):
    """5xx: the server failed, or a part of it is away."""


_classes: dict[int, type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: UsageLimitError,
    403: PermissionError,
    404: NotFoundError,
    409: ConflictError,
    412: OutdatedError,
    422: IdempotencyKeyReusedError,
    429: RateLimitError,
}


def error_of(refusal: Refusal) -> ApiError:
    """The error of the class that the status stands for."""
    kind = _classes.get(refusal.status) or (ServerError if refusal.status >= 500 else ApiError)
    return kind(refusal)
