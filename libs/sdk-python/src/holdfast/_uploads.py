"""Bodies of files, bytes and streams."""

from __future__ import annotations

import os
import uuid
from asyncio import to_thread
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypedDict, Union, cast

from ._errors import ConfigurationError, FileReadError
from ._options import UploadProgress

Content = Union[str, bytes, bytearray, "os.PathLike[str]", "IO[bytes]", Iterable[bytes], AsyncIterable[bytes]]
"""Bytes or text that a call sends; a `Path` is read from the disk. An iterator can be sent once, so a call with one is not repeated.
Only the asynchronous client takes an asynchronous iterator."""


class _FileParts(TypedDict):
    name: str
    content: Content


class FileParts(_FileParts, total=False):
    """A file by its name and its content."""

    type: str


FileInput = Union[str, "os.PathLike[str]", "IO[bytes]", FileParts]
"""A file: a path, a file that is open for reading bytes, or a name with its content."""

_chunk_bytes = 65_536


@dataclass(frozen=True)
class _Part:
    name: str
    content: Content
    size: int | None
    begin: int | None = None
    """Where an open file stood at first, so that it can be read again."""


@dataclass(frozen=True)
class UploadBody:
    """A body that is ready to be sent. It may be opened again when `is_repeatable`."""

    parts: Sequence[_Part]
    content_type: str
    is_repeatable: bool
    total_bytes: int | None

    def open_sync(self, on_progress: Callable[[UploadProgress], object] | None) -> Iterator[bytes]:
        sent = 0
        for part in self.parts:
            for chunk in _chunks(part):
                yield chunk
                sent += len(chunk)
                if on_progress:
                    on_progress(UploadProgress(sent, self.total_bytes))

    async def open_async(self, on_progress: Callable[[UploadProgress], object] | None) -> AsyncIterator[bytes]:
        sent = 0
        for part in self.parts:
            async for chunk in _async_chunks(part):
                yield chunk
                sent += len(chunk)
                if on_progress:
                    on_progress(UploadProgress(sent, self.total_bytes))


def content_body(content: Content, content_type: str) -> UploadBody:
    """A body of one content."""
    return _body_of([_part("The content", content)], content_type)


def form_body(fields: Mapping[str, str], files: Sequence[FileInput]) -> UploadBody:
    """A multipart form: the fields first, then the files."""
    boundary = f"holdfast-{uuid.uuid4()}"
    parts: list[_Part] = []

    def text(content: str) -> None:
        parts.append(_part("The form", content))

    for name, value in fields.items():
        place = f'form-data; name="{_escape(name)}"'
        text(f"--{boundary}\r\nContent-Disposition: {place}\r\n\r\n{value}\r\n")
    for file in files:
        name, content, type = _read_file(file)
        place = f'form-data; name="file"; filename="{_escape(name)}"'
        text(f"--{boundary}\r\nContent-Disposition: {place}\r\nContent-Type: {_escape(type)}\r\n\r\n")
        parts.append(_part(name, content))
        text("\r\n")
    text(f"--{boundary}--\r\n")
    return _body_of(parts, f"multipart/form-data; boundary={boundary}")


def _read_file(file: FileInput) -> tuple[str, Content, str]:
    """The name, the content and the type of a file."""
    if isinstance(file, dict):
        given = cast("Mapping[str, Any]", file)
        if "name" not in given or "content" not in given:
            raise ConfigurationError("A file has a name and a content.")
        return given["name"], given["content"], given.get("type") or "application/octet-stream"
    if isinstance(file, (str, os.PathLike)):
        path = Path(file)
        return path.name, path, "application/octet-stream"
    name = getattr(file, "name", None)
    return os.path.basename(name) if isinstance(name, str) else "file", file, "application/octet-stream"


def _part(name: str, content: Content) -> _Part:
    try:
        if not _is_open_file(content):
            return _Part(name, content, _size(content))
        file = cast("IO[bytes]", content)
        if not file.seekable():
            return _Part(name, content, None)
        begin = file.tell()
        end = file.seek(0, os.SEEK_END)
        file.seek(begin)
        return _Part(name, content, end - begin, begin)
    except (OSError, ValueError) as cause:
        raise FileReadError(name) from cause


def _body_of(parts: Sequence[_Part], content_type: str) -> UploadBody:
    is_repeatable = all(_is_whole(part) for part in parts)
    known = [part.size for part in parts if part.size is not None]
    return UploadBody(parts, content_type, is_repeatable, sum(known) if len(known) == len(parts) else None)


def _is_open_file(content: Content) -> bool:
    return hasattr(content, "read")


def _is_whole(part: _Part) -> bool:
    return isinstance(part.content, (str, bytes, bytearray, os.PathLike)) or part.begin is not None


def _size(content: Content) -> int | None:
    if isinstance(content, str):
        return len(content.encode())
    if isinstance(content, (bytes, bytearray)):
        return len(content)
    return os.stat(content).st_size if isinstance(content, os.PathLike) else None


def _chunks(part: _Part) -> Iterator[bytes]:
    content = part.content
    if isinstance(content, str):
        yield content.encode()
    elif isinstance(content, (bytes, bytearray)):
        yield bytes(content)
    elif isinstance(content, os.PathLike) or _is_open_file(content):
        yield from _file_chunks(part)
    elif isinstance(content, AsyncIterable):
        raise ConfigurationError("Only AsyncHoldfast sends an asynchronous iterator.")
    else:
        try:
            for chunk in content:
                yield _bytes(chunk)
        except ConfigurationError:
            raise
        except Exception as cause:
            raise FileReadError(part.name) from cause


async def _async_chunks(part: _Part) -> AsyncIterator[bytes]:
    content = part.content
    if isinstance(content, AsyncIterable):
        try:
            async for chunk in content:
                yield _bytes(chunk)
        except ConfigurationError:
            raise
        except Exception as cause:
            raise FileReadError(part.name) from cause
        return
    chunks = _chunks(part)
    if not isinstance(content, os.PathLike) and not _is_open_file(content):
        for chunk in chunks:
            yield chunk
        return
    # A slow disk must not hold up the loop.
    while (next_chunk := await to_thread(next, chunks, None)) is not None:
        yield next_chunk


def _file_chunks(part: _Part) -> Iterator[bytes]:
    """The bytes of a file. One that is shorter than at first is refused: the request has told its length."""
    left = part.size
    try:
        if isinstance(part.content, os.PathLike):
            file: IO[bytes] = open(part.content, "rb")
        else:
            file = cast("IO[bytes]", part.content)
            if part.begin is not None:
                file.seek(part.begin)
        try:
            while left is None or left > 0:
                chunk = _bytes(file.read(_chunk_bytes if left is None else min(_chunk_bytes, left)))
                if not chunk:
                    break
                left = None if left is None else left - len(chunk)
                yield chunk
        finally:
            if isinstance(part.content, os.PathLike):
                file.close()
    except (OSError, ValueError) as cause:
        raise FileReadError(part.name) from cause
    if left:
        raise FileReadError(part.name)


def _bytes(chunk: object) -> bytes:
    if isinstance(chunk, bytes):
        return chunk
    if isinstance(chunk, bytearray):
        return bytes(chunk)
    if isinstance(chunk, memoryview):
        return cast("memoryview[int]", chunk).tobytes()
    raise ConfigurationError(f"An upload is made of bytes, and not of {type(chunk).__name__}. Open a file with the mode rb.")


def _escape(name: str) -> str:
    """As browsers write names in a form."""
    return name.replace("\r", "%0D").replace("\n", "%0A").replace('"', "%22")
