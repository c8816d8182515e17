# This file is made of _async/workflows.py: change that, and run `npm run clients`.
"""The calls of `client.workflows`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import httpx

from .._answers import ServerEvent, read_value, value_at
from .._errors import ConfigurationError
from .._options import CallOptions
from .._requests import ApiRequest, segment
from ..generated import models
from ..generated.resources import WorkflowsResource
from .events import EventStream
from .executions import Executions, Job

Acknowledgement = models.AcknowledgementView
"""What `start` answers: the execution was accepted."""
Result = models.SyncResultView
"""What `execute` answers when the run has ended, or waits for a person."""

_longest_hold = 50
"""The longest that a caller lets the server hold an answer back, in seconds, before it follows the job."""


class Workflows(WorkflowsResource):
    def execute(
        self,
        workflow_id: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        include_trace_spans: bool = False,
        options: CallOptions | None = None,
    ) -> Result:
        """Executes the live version and returns when the run has ended, or waits for a person: look at `success` and `status`. A run that
        the server answers with a job is followed to that point. A run that fails does not raise.

        include_trace_spans: adds the first hundred blocks as `logs` and as `trace_spans`.

        `POST /api/workflows/{workflowId}/execute`
        """
        settings = self._transport.connection.settings_of(options)
        headers: dict[str, str] = {}
        hold = min(_longest_hold, int(settings.timeout / 1.25))
        if hold > 0:
            headers["prefer"] = f"wait={hold}"
        if include_trace_spans:
            headers["x-include-trace-spans"] = "true"
        merged = self._transport.connection.settings_of(_with_headers(options, headers))
        response = self._transport.send(_request(workflow_id, {"inputs": inputs or {}}), merged)
        answer = self._transport.json(response, merged)
        if value_at(answer, ("async",)) is not None:
            return self._result_of(read_value(Acknowledgement, answer), options)
        return read_value(Result, answer)

    def start(
        self,
        workflow_id: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Acknowledgement:
        """Executes the live version as a job, and returns when it is accepted. `executions.wait` waits for its end."""
        request = _request(workflow_id, {"inputs": inputs or {}, "async": True})
        return self._transport.read(request, Acknowledgement, options)

    def stream(
        self,
        workflow_id: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> EventStream[Job]:
        """Executes the live version and gives its states as they come. A connection that breaks is followed on."""
        return EventStream(lambda stream: self._events(workflow_id, inputs, options, stream))

    def execute_raw(
        self,
        workflow_id: str,
        *,
        inputs: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Executes the live version and gives what its Response block says, alone: status, headers and body."""
        request = _request(workflow_id, {"inputs": inputs or {}}, "*/*")
        settings = self._transport.connection.settings_of(_with_headers(options, {"x-response-mode": "raw"}))
        return self._transport.whole(self._transport.send(request, settings), settings)

    def _result_of(self, accepted: Acknowledgement, options: CallOptions | None) -> Result:
        job = Executions(self._transport).wait(accepted.job_id, options=_follow_options(options))
        status = "paused" if job.paused else job.status
        about = job.metadata
        metadata = {
            "executionId": accepted.execution_id,
            "status": status,
            "duration": about.duration,
            "startTime": about.started_at,
            "endTime": about.completed_at,
        }
        given = job.model_dump(by_alias=True, exclude_unset=True)
        more = {"jobId": accepted.job_id, "limits": accepted.limits, "status": status, "metadata": metadata}
        return read_value(Result, {"output": {}, "error": None, **given, **more})

    def _events(
        self,
        workflow_id: str,
        inputs: Mapping[str, Any] | None,
        options: CallOptions | None,
        stream: EventStream[Job],
    ) -> Iterator[ServerEvent[Job]]:
        # The job is followed from its beginning, so that one way of streaming serves all.
        accepted = self.start(workflow_id, inputs=inputs, options=options)
        path = f"/api/jobs/{segment(accepted.job_id)}/events"
        request = ApiRequest("followJob", "GET", path, accept="text/event-stream")
        for event in self._transport.events(request, Job, _follow_options(options), stream):
            yield event


class NamedWorkflow:
    """One workflow, found by its name in the workspace when it is first called."""

    def __init__(self, workflows: Workflows, name: str) -> None:
        self._workflows = workflows
        self._name = name
        self._id: str | None = None

    def id(self) -> str:
        """The id of the workflow. Raises ConfigurationError when no workflow of the workspace has the name, or several have it."""
        if self._id is None:
            self._id = self._find()
        return self._id

    def execute(self, inputs: Mapping[str, Any] | None = None, options: CallOptions | None = None) -> Result:
        return self._workflows.execute(self.id(), inputs=inputs, options=options)

    def start(
        self, inputs: Mapping[str, Any] | None = None, options: CallOptions | None = None
    ) -> Acknowledgement:
        return self._workflows.start(self.id(), inputs=inputs, options=options)

    def _find(self) -> str:
        page = self._workflows.list(name=self._name)
        named = [one for one in page.to_list(100) if one.name == self._name]
        if len(named) == 1:
            return named[0].id
        raise ConfigurationError(
            f'Several workflows have the name "{self._name}". Call one by its id.'
            if named
            else f'No workflow of the workspace has the name "{self._name}".'
        )


def _request(workflow_id: str, params: Mapping[str, Any], accept: str = "application/json") -> ApiRequest:
    path = f"/api/workflows/{segment(workflow_id)}/execute"
    return ApiRequest("executeWorkflow", "POST", path, params, body="json", idempotent=True, accept=accept)


def _with_headers(options: CallOptions | None, headers: Mapping[str, str]) -> CallOptions:
    merged: CallOptions = {**(options or {})}
    merged["headers"] = {**headers, **(merged.get("headers") or {})}
    return merged


def _follow_options(options: CallOptions | None) -> CallOptions:
    """The options of a call that hold for the following of its job too."""
    followed: CallOptions = {}
    if options and "timeout" in options:
        followed["timeout"] = options["timeout"]
    if options and "max_retries" in options:
        followed["max_retries"] = options["max_retries"]
    return followed
