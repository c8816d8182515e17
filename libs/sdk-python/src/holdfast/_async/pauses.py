"""The calls of `client.pauses`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from .._options import CallOptions
from .._requests import ApiRequest, segment
from ..generated import models
from ..generated.async_resources import AsyncPausesResource

T = TypeVar("T")


class AsyncPauses(AsyncPausesResource):
    async def answer(
        self,
        workflow_id: str,
        execution_id: str,
        context_id: str,
        *,
        input: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> models.ResumeResultView:
        """Answers a pause, and returns when the run has ended or waits again. `input` has the fields of the form by their names.

        `POST /api/resume/{workflowId}/{executionId}/{contextId}`
        """
        ids = (workflow_id, execution_id, context_id)
        return await self._send(ids, {"input": input}, models.ResumeResultView, options)

    async def start_answer(
        self,
        workflow_id: str,
        execution_id: str,
        context_id: str,
        *,
        input: Mapping[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> models.ResumeAcknowledgementView:
        """Answers a pause, and returns when the answer is accepted; the run goes on behind it."""
        ids = (workflow_id, execution_id, context_id)
        params = {"input": input, "async": True}
        return await self._send(ids, params, models.ResumeAcknowledgementView, options)

    async def _send(
        self,
        ids: tuple[str, str, str],
        params: Mapping[str, Any],
        kind: type[T],
        options: CallOptions | None,
    ) -> T:
        path = f"/api/resume/{'/'.join(segment(id) for id in ids)}"
        request = ApiRequest("resumeExecution", "POST", path, params, body="json", idempotent=True)
        return await self._transport.read(request, kind, options)
