"""The calls of one resource."""

from __future__ import annotations

from .transport import AsyncTransport


class AsyncResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
