# This file is made of _async/resource.py: change that, and run `npm run clients`.
"""The calls of one resource."""

from __future__ import annotations

from .transport import Transport


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
