"""Sends requests: with a time-out, again where that does nothing twice, and with errors that say what to do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from time import monotonic, perf_counter
from typing import Literal

import httpx

from .._answers import first_response, header_of, origin_of, read_refusal
from .._errors import ConfigurationError, ConnectionError, HoldfastError, TimeoutError
from .._options import CallSettings, Connection, LogEntry, is_logged, mask, write_log
from .._requests import PreparedRequest
from .._retries import delay_before, is_retryable
from .flavour import open_upload, sleep


@dataclass(frozen=True)
class Failed:
    """A try that gave no answer, or a refusal."""

    error: HoldfastError
    is_retryable: bool
    retry_after: float | None = None


class AsyncSender:
    def __init__(self, connection: Connection, http: httpx.AsyncClient) -> None:
        self._connection = connection
        self._http = http

    async def send(self, request: PreparedRequest, settings: CallSettings) -> httpx.Response:
        """Returns the first answer that is no refusal, its body unread. Raises the error of the last try."""
        retry = 0
        while True:
            tried = await self._try(request, settings, retry)
            if isinstance(tried, httpx.Response):
                seen = first_response.get()
                if seen is not None:
                    seen.append(tried)
                return tried
            delay = delay_before(retry, tried.retry_after) if tried.is_retryable else None
            if delay is None or retry >= settings.max_retries:
                raise tried.error
            if settings.is_over_in(delay):
                await sleep(settings.left())
                raise TimeoutError("The time of the call was over before its next try.") from tried.error
            await sleep(delay)
            retry += 1

    async def read(self, response: httpx.Response, settings: CallSettings) -> bytes:
        """All bytes of an answer. Raises TimeoutError when its end does not come in time."""
        end = monotonic() + settings.timeout
        late = f"The end of the answer did not come within {settings.timeout:g} s."
        chunks: list[bytes] = []
        try:
            async for chunk in response.aiter_bytes():
                chunks.append(chunk)
                # Each chunk comes in time, and yet a server may send one byte after the other.
                if monotonic() > end:
                    raise TimeoutError(late)
        except httpx.TimeoutException as cause:
            raise TimeoutError(late) from cause
        except httpx.RequestError as cause:
            raise ConnectionError("The connection broke in the middle of the answer.") from cause
        finally:
            await response.aclose()
        return b"".join(chunks)

    async def stream(self, response: httpx.Response, settings: CallSettings) -> AsyncIterator[bytes]:
        """The bytes of an answer as they come. Raises TimeoutError when nothing comes for the time-out."""
        try:
            async for chunk in response.aiter_bytes():
                yield chunk
        except httpx.TimeoutException as cause:
            raise silent(settings) from cause
        except httpx.RequestError as cause:
            raise ConnectionError("The connection broke in the middle of the answer.") from cause
        finally:
            await response.aclose()

    async def _try(
        self, request: PreparedRequest, settings: CallSettings, retry: int
    ) -> httpx.Response | Failed:
        begin = perf_counter()
        self._log(request, retry, "debug", "The request is sent.")
        try:
            response = await self._send_once(request, settings)
        except HoldfastError as error:
            self._log(request, retry, "warn", error.message, duration=perf_counter() - begin)
            return Failed(error, isinstance(error, ConnectionError) and request.is_repeatable)
        self._log(
            request,
            retry,
            "info" if response.is_success else "warn",
            f"The answer is {response.status_code}.",
            response=response,
            duration=perf_counter() - begin,
        )
        return response if response.is_success else await self._refused(request, response, settings)

    async def _refused(
        self, request: PreparedRequest, response: httpx.Response, settings: CallSettings
    ) -> Failed:
        try:
            text = await self.read(response, settings)
        except ConnectionError:
            text = b""
        error = read_refusal(response, text)
        # A call that was not let in has done nothing, whatever it is.
        is_safe = request.is_repeatable or (
            error.status == 429 and (request.upload is None or request.upload.is_repeatable)
        )
        return Failed(error, is_safe and is_retryable(error.status, error.code), error.retry_after)

    async def _send_once(self, request: PreparedRequest, settings: CallSettings) -> httpx.Response:
        timeout = settings.left()
        try:
            sent = self._http.build_request(
                request.verb,
                request.url,
                headers=request.headers,
                content=open_upload(request.upload, settings.on_upload_progress)
                if request.upload
                else request.json,
                timeout=timeout,
            )
        except (TypeError, ValueError, httpx.InvalidURL) as cause:
            raise ConfigurationError(f"The request cannot be written: {cause}.") from cause
        try:
            # A redirect would carry the key to wherever it leads.
            return await self._http.send(sent, stream=True, follow_redirects=False)
        except httpx.TimeoutException as cause:
            raise TimeoutError(
                f"{origin_of(sent.url)} did not answer within {timeout:g} s. "
                "The server may have done the work all the same."
            ) from cause
        except (httpx.LocalProtocolError, httpx.UnsupportedProtocol) as cause:
            raise ConfigurationError(f"The request cannot be sent: {cause}.") from cause
        except httpx.RequestError as cause:
            raise ConnectionError(
                f"{origin_of(sent.url)} cannot be reached: {cause}. Check the address and that it runs."
            ) from cause
        except RuntimeError as cause:
            if not self._http.is_closed:
                raise
            raise ConfigurationError("The client is closed. Make a new one.") from cause

    def _log(
        self,
        request: PreparedRequest,
        retry: int,
        level: Literal["debug", "info", "warn"],
        message: str,
        response: httpx.Response | None = None,
        duration: float | None = None,
    ) -> None:
        if not is_logged(self._connection, level):
            return
        write_log(
            self._connection,
            LogEntry(
                level,
                message,
                request.verb,
                request.url,
                retry + 1,
                mask(request.headers),
                response.status_code if response is not None else None,
                header_of(response, "x-request-id") if response is not None else None,
                duration,
            ),
        )


def silent(settings: CallSettings) -> TimeoutError:
    return TimeoutError(f"Nothing came for {settings.timeout:g} s in the middle of the answer.")
