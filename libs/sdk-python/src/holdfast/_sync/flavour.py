"""What the synchronous client does otherwise than the asynchronous one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from .._options import UploadProgress
from .._uploads import UploadBody
from .page import Page

T = TypeVar("T")
Body = TypeVar("Body")


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def open_upload(upload: UploadBody, on_progress: Callable[[UploadProgress], object] | None) -> Iterator[bytes]:
    return upload.open_sync(on_progress)


class Timer:
    """Calls a function once, after so many seconds, unless it is stopped before."""

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self._timer = threading.Timer(seconds, act)
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        self._timer.cancel()


class Handlers:
    """Runs handlers of the caller: each one before the wait goes on."""

    failure: BaseException | None = None

    def __init__(self, on_failure: Callable[[], None]) -> None:
        pass

    def begin(self, result: object) -> None:
        """A handler has returned, so nothing of it is left to do."""


def call_page(load: Callable[[], Page[T, Body]]) -> Page[T, Body]:
    return load()
