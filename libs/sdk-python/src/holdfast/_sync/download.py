# This file is made of _async/download.py: change that, and run `npm run clients`.
"""Files and long texts."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import httpx

from .._answers import filename_of, header_of
from .._errors import ConnectionError


class Download:
    """A file or a long text as it comes. It can be read once."""

    def __init__(self, response: httpx.Response, chunks: Iterator[bytes]) -> None:
        self.response = response
        self._chunks = chunks

    @property
    def content_type(self) -> str:
        return header_of(self.response, "content-type") or "application/octet-stream"

    @property
    def length(self) -> int | None:
        """The length in bytes; None when the server does not know it before the end."""
        length = header_of(self.response, "content-length")
        return None if length is None else int(length)

    @property
    def filename(self) -> str | None:
        """The name that the server proposes for the file."""
        return filename_of(self.response.headers)

    def stream(self) -> Iterator[bytes]:
        """The bytes as they come."""
        return self._chunks

    def bytes(self) -> bytes:
        return b"".join([chunk for chunk in self._chunks])

    def text(self) -> str:
        return (self.bytes()).decode("utf-8-sig", "replace")

    def lines(self) -> Iterator[str]:
        """Each line without its end, as it comes; of NDJSON, one value a line."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        rest = ""
        for chunk in self._chunks:
            *lines, rest = (rest + decoder.decode(chunk)).split("\n")
            for line in lines:
                yield line.removesuffix("\r")
        rest += decoder.decode(b"", True)
        if rest:
            yield rest

    def values(self) -> Iterator[Any]:
        """Each line of NDJSON as a value. Raises ConnectionError when the text ends in the middle of one."""
        for line in self.lines():
            if line.strip() == "":
                continue
            try:
                value = json.loads(line)
            except ValueError as cause:
                raise ConnectionError("The download ended in the middle of a line. Start it again.") from cause
            yield value

    def close(self) -> None:
        """Ends the download before its end."""
        self.response.close()

    def __enter__(self) -> Download:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
