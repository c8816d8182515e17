# This file is made of _async/events.py: change that, and run `npm run clients`.
"""Streams of server-sent events."""

from __future__ import annotations

from collections.abc import Iterator, Callable
from types import TracebackType
from typing import Generic, TypeVar

import httpx

from .._answers import ServerEvent, cut

T = TypeVar("T")


class EventStream(Generic[T]):
    """The events of a stream that is opened anew, behind the last event, when the connection breaks."""

    def __init__(self, follow: Callable[[EventStream[T]], Iterator[ServerEvent[T]]]) -> None:
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

    def close(self) -> None:
        """Ends the connection of a stream that nobody reads any more."""
        if self._response is not None:
            self._response.close()

    def __iter__(self) -> Iterator[ServerEvent[T]]:
        return self._follow(self)

    def __enter__(self) -> EventStream[T]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
