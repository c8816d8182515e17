"""Streams of server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Generic, TypeVar

import httpx

from .._answers import ServerEvent, cut

T = TypeVar("T")


class AsyncEventStream(Generic[T]):
    """The events of a stream that is opened anew, behind the last event, when the connection breaks."""

    def __init__(self, follow: Callable[[AsyncEventStream[T]], AsyncIterator[ServerEvent[T]]]) -> None:
        self._follow = follow
        self._response: httpx.Response | None = None
        self.is_aborted = False

    def abort(self) -> None:
        """Ends the connection; the iteration raises AbortedError. Another thread may call it."""
        self.is_aborted = True
        if self._response is not None:
            cut(self._response)

    def attach(self, response: httpx.Response) -> None:
        """Makes the answer the one that an abort cuts."""
        self._response = response
        if self.is_aborted:
            cut(response)

    async def close(self) -> None:
        """Ends the connection of a stream that nobody reads any more."""
        if self._response is not None:
            await self._response.aclose()

    def __aiter__(self) -> AsyncIterator[ServerEvent[T]]:
        return self._follow(self)

    async def __aenter__(self) -> AsyncEventStream[T]:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
