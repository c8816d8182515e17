"""What the asynchronous client does otherwise than the synchronous one. All else is written once, and the other is made of it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Generator
from typing import Any, Generic, TypeVar

from .._uploads import UploadBody
from .._options import UploadProgress
from .page import AsyncPage

T = TypeVar("T")
Body = TypeVar("Body")


async def sleep(seconds: float) -> None:
    await asyncio.sleep(seconds)


def open_upload(
    upload: UploadBody, on_progress: Callable[[UploadProgress], object] | None
) -> AsyncIterator[bytes]:
    return upload.open_async(on_progress)


class Timer:
    """Calls a function once, after so many seconds, unless it is stopped before."""

    def __init__(self, seconds: float, act: Callable[[], None]) -> None:
        self._handle = asyncio.get_running_loop().call_later(seconds, act)

    def stop(self) -> None:
        self._handle.cancel()


_running: set[asyncio.Future[Any]] = set()


class Handlers:
    """Runs handlers of the caller beside a wait. The first that fails ends the wait."""

    failure: BaseException | None = None

    def __init__(self, on_failure: Callable[[], None]) -> None:
        self._on_failure = on_failure

    def begin(self, result: object) -> None:
        """Goes on with what a handler has returned: when it is awaitable, beside the wait."""
        if not inspect.isawaitable(result):
            return
        task = asyncio.ensure_future(result)
        # The loop itself keeps no task alive.
        _running.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Future[Any]) -> None:
        _running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failure = error
            self._on_failure()


class AsyncPageCall(Generic[T, Body]):
    """A call of a list. Awaiting it gives the first page; `async for` gives every item of every page."""

    def __init__(self, load: Callable[[], Awaitable[AsyncPage[T, Body]]]) -> None:
        self._load = load

    def __await__(self) -> Generator[Any, None, AsyncPage[T, Body]]:
        return self._load().__await__()

    async def __aiter__(self) -> AsyncIterator[T]:
        async for item in await self._load():
            yield item

    async def to_list(self, limit: int | None = None) -> list[T]:
        """The items of every page, at most `limit` of them."""
        return await (await self._load()).to_list(limit)


def call_page(load: Callable[[], Awaitable[AsyncPage[T, Body]]]) -> AsyncPageCall[T, Body]:
    return AsyncPageCall(load)
