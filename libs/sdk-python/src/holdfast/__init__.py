"""The Python client of Holdfast: `Holdfast`, and `AsyncHoldfast` with the same names."""

from ._answers import ServerEvent, WithResponse
from ._async.client import AsyncHoldfast
from ._async.download import AsyncDownload
from ._async.events import AsyncEventStream
from ._async.executions import AsyncOpenPause, Job, PausePoint
from ._async.flavour import AsyncPageCall
from ._async.page import AsyncPage
from ._async.workflows import Acknowledgement, AsyncNamedWorkflow, Result
from ._errors import (
    AbortedError,
    ApiError,
    AuthenticationError,
    ConfigurationError,
    ConflictError,
    ConnectionError,
    ErrorDetail,
    FileReadError,
    HoldfastError,
    IdempotencyKeyReusedError,
    InvalidRequestError,
    NotFoundError,
    OutdatedError,
    PermissionError,
    RateLimitError,
    ServerError,
    TimeoutError,
    UnreadableAnswerError,
    UsageLimitError,
    WebhookError,
)
from ._options import CallOptions, LogEntry, UploadProgress
from ._sync.client import Holdfast
from ._sync.download import Download
from ._sync.events import EventStream
from ._sync.executions import OpenPause
from ._sync.page import Page
from ._sync.workflows import NamedWorkflow
from ._uploads import Content, FileInput, FileParts
from ._version import version
from ._webhooks import WebhookEvent
from .generated import models

__version__ = version

__all__ = [
    "AbortedError",
    "Acknowledgement",
    "ApiError",
    "AsyncDownload",
    "AsyncEventStream",
    "AsyncHoldfast",
    "AsyncNamedWorkflow",
    "AsyncOpenPause",
    "AsyncPage",
    "AsyncPageCall",
    "AuthenticationError",
    "CallOptions",
    "ConfigurationError",
    "ConflictError",
    "ConnectionError",
    "Content",
    "Download",
    "ErrorDetail",
    "EventStream",
    "FileInput",
    "FileParts",
    "FileReadError",
    "Holdfast",
    "HoldfastError",
    "IdempotencyKeyReusedError",
    "InvalidRequestError",
    "Job",
    "LogEntry",
    "NamedWorkflow",
    "NotFoundError",
    "OpenPause",
    "OutdatedError",
    "Page",
    "PausePoint",
    "PermissionError",
    "RateLimitError",
    "Result",
    "ServerError",
    "ServerEvent",
    "TimeoutError",
    "UnreadableAnswerError",
    "UploadProgress",
    "UsageLimitError",
    "WebhookError",
    "WebhookEvent",
    "WithResponse",
    "models",
    "version",
]
