# This file is made of _async/executions.py: change that, and run `npm run clients`.
"""The calls of `client.executions`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Callable, Mapping
from time import monotonic
from typing import Any, cast
from urllib.parse import unquote

from pydantic import PrivateAttr

from .._answers import ServerEvent
from .._errors import AbortedError, ConnectionError, TimeoutError
from .._options import CallOptions, TimedOptions, check_timeout
from .._requests import ApiRequest, segment
from ..generated import models
from ..generated.resources import ExecutionsResource
from .events import EventStream
from .flavour import Handlers, Timer, sleep
from .pauses import Pauses

Job = models.JobView
"""An execution as its job shows it."""
PausePoint = models.PausePointView
"""One place where an execution waits for a person."""


class OpenPause(models.PausePointView):
    """A pause that waits, with the call that answers it."""

    _pauses: Pauses = PrivateAttr()
    _job: Job = PrivateAttr()

    def attach(self, pauses: Pauses, job: Job) -> None:
        """Gives the pause what it is answered with."""
        self._pauses, self._job = pauses, job

    @property
    def job(self) -> Job:
        """The job as it was when the pause was seen."""
        return self._job

    def answer(
        self, input: Mapping[str, Any], options: CallOptions | None = None
    ) -> models.ResumeResultView:
        """Answers the pause, and returns when the run has ended or waits again."""
        # The ids in the address where a program answers the pause.
        found = re.search(r"/api/resume/([^/]+)/([^/]+)/", self.resume_links.api_url)
        workflow_id, execution_id = (unquote(one) for one in found.groups()) if found else ("", "")
        return self._pauses.answer(
            workflow_id, execution_id, self.context_id, input=input, options=options
        )


class Executions(ExecutionsResource):
    def wait(
        self,
        id: str,
        *,
        on_pause: Callable[[OpenPause], object] | None = None,
        on_state: Callable[[Job], object] | None = None,
        poll: bool = False,
        deadline: float | None = None,
        options: CallOptions | None = None,
    ) -> Job:
        """Waits until an execution has ended, and returns its job; the id of the job or of the execution will do.

        on_pause: called once for each pause that begins; it may answer the pause (`pause.answer`), or only tell somebody. The asynchronous
            client does not wait for what it returns; the synchronous one goes on when it has returned. When it fails, the wait fails
            too. Without it the wait ends at the first pause: then `status` is `paused`, and `paused` says where.
        on_state: called with each state of the job.
        poll: asks again and again in place of following events, for networks that hold streams back.
        deadline: the longest wait in all, in seconds; TimeoutError is raised after it, and the execution goes on.
        """
        stream: EventStream[Job] = EventStream(lambda opened: self._states(id, poll, timed, opened))
        handlers = Handlers(stream.abort)
        timed = cast(TimedOptions, dict(options or {}))
        timer: Timer | None = None
        end: float | None = None
        if deadline is not None:
            end = monotonic() + check_timeout(deadline)
            timed["until"] = end
            timer = Timer(deadline, stream.abort)
        told: set[str] = set()
        try:
            for event in stream:
                job = event.data
                if on_state is not None:
                    on_state(job)
                if is_ended(job):
                    return job
                # The API says `processing` of a run that waits for a person.
                if job.paused is not None and on_pause is None:
                    return job.model_copy(update={"status": "paused"})
                for point in job.paused.pause_points if job.paused else []:
                    if on_pause is not None and point.context_id not in told:
                        told.add(point.context_id)
                        handlers.begin(on_pause(self._open_pause(point, job)))
                if handlers.failure is not None:
                    raise handlers.failure
            raise ConnectionError("The stream of the execution ended before the execution did.")
        except (AbortedError, ConnectionError) as cause:
            if handlers.failure is not None:
                raise handlers.failure from None
            # The last try may end a moment before the deadline that it was bounded by.
            if end is not None and monotonic() >= end - 0.01:
                raise TimeoutError(f"The execution {id} has not ended within {deadline:g} s; it goes on.") from cause
            raise
        finally:
            if timer is not None:
                timer.stop()
            stream.close()

    def _open_pause(self, point: PausePoint, job: Job) -> OpenPause:
        pause = OpenPause.model_construct(None, **dict(point))
        pause.attach(Pauses(self._transport), job)
        return pause

    def _states(
        self, id: str, poll: bool, options: TimedOptions, stream: EventStream[Job]
    ) -> Iterator[ServerEvent[Job]]:
        path = f"/api/jobs/{segment(id)}"
        if not poll:
            request = ApiRequest("followJob", "GET", f"{path}/events", accept="text/event-stream")
            for event in self._transport.events(request, Job, options, stream):
                yield event
            return
        # A pause is no end, so a long wait would not see it.
        wait = 0
        while True:
            request = ApiRequest("getJob", "GET", path, {"wait": wait})
            job = self._transport.read(request, Job, options)
            yield ServerEvent(None, "status", job)
            if is_ended(job):
                return
            sleep(0.1)
            if stream.is_aborted:
                raise AbortedError()
            wait = 5


def is_ended(job: Job) -> bool:
    return job.status in ("completed", "failed")
