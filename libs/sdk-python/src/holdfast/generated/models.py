# This file is generated from the description of the API: change that, and run `npm run clients`.
"""The shapes of the API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from holdfast._model import Model
from pydantic import Field


class AuditLogView(Model):
    id: str
    """The id of the entry, which begins with `aud_`."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of its workspace."""
    actor_kind: Annotated[str, Field(alias='actorKind')]
    """`user`, `key`, `link`, `anyone` without a key, `operator`, or `system`."""
    actor_id: Annotated[str | None, Field(alias='actorId')]
    """The id of the user or of the key that acted; null when the actor is unknown."""
    actor_name: Annotated[str | None, Field(alias='actorName')]
    """The current name of the user or of the key."""
    actor_email: Annotated[str | None, Field(alias='actorEmail')]
    """The mail address of the user that acted; null for a key and when the actor is unknown."""
    key_id: Annotated[str | None, Field(alias='keyId')]
    """The id of the key that sent the request."""
    request_id: Annotated[str | None, Field(alias='requestId')]
    """The id of the request, as in the header X-Request-Id; null when no request caused it."""
    ip_address: Annotated[str | None, Field(alias='ipAddress')]
    """The IP address that sent the request."""
    action: str
    """The action, for example `workflow.deployed`."""
    resource_type: Annotated[str, Field(alias='resourceType')]
    """The type of the changed resource, for example `workflow` or `api_key`."""
    resource_id: Annotated[str, Field(alias='resourceId')]
    """The id of the changed resource. A secret has its name here."""
    resource_name: Annotated[str | None, Field(alias='resourceName')]
    """The name of the resource at that time; null when it has no name."""
    description: str
    """The action and its resource, in words."""
    metadata: dict[str, Any]
    """The change. An update has `from` and `to` for each changed member. Values of secrets are never here."""
    seq: int
    """The position in the hash chain of the workspace."""
    hash: str
    """The SHA-256 of this entry and of the hash of the entry before it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of the event, in ISO 8601 and UTC."""


class BucketView(Model):
    requests_per_minute: Annotated[int, Field(alias='requestsPerMinute')]
    """The number of tokens that the bucket gains in a minute."""
    max_burst: Annotated[int, Field(alias='maxBurst')]
    """The maximum number of tokens in the bucket, and so of calls at once."""
    remaining: int
    """The number of tokens left now. A call takes one token."""
    reset_at: Annotated[str, Field(alias='resetAt')]
    """The time at which the bucket is full again if no call comes, in ISO 8601 and UTC."""


class ExecutionRateView(Model):
    sync: BucketView
    """The bucket of synchronous executions."""
    async_: Annotated[BucketView, Field(alias='async')]
    """The bucket of asynchronous executions, which are jobs."""


class UsageView(Model):
    current_period_cost: Annotated[float, Field(alias='currentPeriodCost')]
    """The cost of the workspace in this calendar month, in the currency of the prices of the operator."""
    limit: float
    """The cost limit for a month. Above it, executions are refused with 402."""
    plan: str
    """The name of the workspace plan."""
    is_exceeded: Annotated[bool, Field(alias='isExceeded')]
    """True when the cost of the month has reached the limit."""


class LimitsView(Model):
    workflow_execution_rate_limit: Annotated[
        ExecutionRateView, Field(alias='workflowExecutionRateLimit')
    ]
    """The two buckets of executions."""
    usage: UsageView
    """The cost of the month and its limit."""


class DetailView(Model):
    block_id: Annotated[str | None, Field(alias='blockId')] = None
    """For a fault in a definition: the id of its block."""
    row_id: Annotated[str | None, Field(alias='rowId')] = None
    """For a column change that a row does not fit: the id of the row."""
    position: float | None = None
    """For a column change that a row does not fit: the position of the row."""
    path: str
    """Dotted path of the field; empty when the fault is not in one field."""
    message: str
    """The fault of the field, in words."""
    code: str
    """The rule that the field breaks, as a stable word for programs."""


class ErrorView(Model):
    error: str
    """The reason and the remedy, in a sentence for people."""
    code: str
    """A stable upper-case word for programs."""
    request_id: Annotated[str, Field(alias='requestId')]
    """The id of the request, as in the header X-Request-Id."""
    details: list[DetailView] | None = None
    """Every fault of the request. Present on every 400."""


class WorkspaceEventView(Model):
    changed: list[str]
    """The parts that have changed: `executions`, `pauses` or `settings`. Empty in the first event, which gives the current state."""


class FailureView(Model):
    code: str
    """A stable upper-case word for programs, as on the page Codes."""
    message: str
    """The failure, in a sentence for people."""
    block_id: Annotated[str | None, Field(alias='blockId')] = None
    """The id of the block that is to blame; absent when the run failed as a whole."""
    block_name: Annotated[str | None, Field(alias='blockName')] = None
    """The name of that block."""
    details: Any | None = None
    """More about the failure, whose form depends on the code; absent when there is nothing more."""


class VisitView(Model):
    path: str
    """The path of the visit: the id of the block and the passes around it, for example `call@each[2]`."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the block in the definition."""
    name: str
    """The name of the block; its id when it has none."""
    type: str
    """The type of the block, for example `http`."""
    status: str
    """The state of the visit: `running` or `paused` while it lasts, then `completed`, `failed`, `skipped` or `cancelled`."""
    started_at: Annotated[str, Field(alias='startedAt')]
    """The start time, in ISO 8601 and UTC."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """The end time, in ISO 8601 and UTC; null while the block runs."""
    duration: int | None
    """Milliseconds from start to end; null while it runs."""
    attempts: int
    """The number of attempts; 0 for a block without an effect."""
    port: str | None
    """The port by which the run left the block; null while the block runs and when there was no port."""
    failure: FailureView | None
    """The failure of the block; null when it did not fail."""
    output: Any
    """The output of the block. When the page already has 2 MB of outputs, a large output is a reference: `$payload` is its id, `bytes` its size."""
    logs: list[str] | None
    """The lines that a function wrote to its console; null when there are none."""
    cost: float | None
    """The cost of its calls and models, by the prices of the operator; null when nothing was booked."""


class TraceSpanView(Model):
    id: str
    """The path of the visit, which is unique in the execution."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the block in the definition."""
    name: str
    """The name of the block; its id when it has none."""
    type: str
    """The type of the block, for example `http`."""
    status: Literal['success', 'error', 'running', 'cancelled'] | str
    """`success` for a block that completed or was skipped, `error` for one that failed."""
    start_time: Annotated[str, Field(alias='startTime')]
    """The start time, in ISO 8601 and UTC."""
    end_time: Annotated[str | None, Field(alias='endTime')]
    """The end time, in ISO 8601 and UTC; null while the block runs."""
    duration: int | None
    """Milliseconds from start to end; null while it runs."""
    children: list[TraceSpanView]
    """The visits inside a loop or parallel, in order; empty for every other block."""


class ResumeLinksView(Model):
    api_url: Annotated[str, Field(alias='apiUrl')]
    """The URL to which a program posts the answer, with a key."""
    ui_url: Annotated[str | None, Field(alias='uiUrl')]
    """The page where the caller, and everyone with this link, can answer; null for a caller who may not answer."""
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution that waits."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""


class DisplayFieldView(Model):
    label: str
    """The label before the value."""
    value: Any
    """The value that the page shows; null when there is none."""
    format: str | None = None
    """The display format that the author of the block chose; absent for plain text."""


class DisplayView(Model):
    title: str
    """The question in a line."""
    message: str
    """The information that a person needs for the answer; empty when there is none."""
    fields: list[DisplayFieldView]
    """Facts that are shown in a list beside the message."""


class OptionView(Model):
    label: str
    """The text of the option."""
    value: str
    """The value in the answer when this option is chosen."""


class FormFieldView(Model):
    name: str
    """The name of the value in the answer."""
    type: str
    """The type of the field, for example `string`, `boolean` or `select`. It decides the accepted values."""
    label: str
    """The label of the field."""
    description: str | None = None
    """A hint below the label; absent when there is none."""
    placeholder: str | None = None
    """The placeholder in the empty field; absent when there is none."""
    required: bool
    """True when an answer without this field is refused."""
    options: list[OptionView] | None = None
    """The choices of a select or multiselect; absent for other types."""
    default: Any | None = None
    """The default value, also for a missing answer; absent when there is none."""
    min: float | None = None
    """The least number, the least length of a text or the fewest choices; absent when there is no bound."""
    max: float | None = None
    """The greatest number, the greatest length of a text or the most choices; absent when there is no bound."""
    pattern: str | None = None
    """Always absent: patterns are not supported, because a regular expression can stop the engine."""


class PauseResponseView(Model):
    display_data: Annotated[DisplayView, Field(alias='displayData')]
    """The message for a person."""
    form_fields: Annotated[list[FormFieldView], Field(alias='formFields')]
    """The fields of the form, in order."""


class ResumeEntryView(Model):
    id: str
    """The id of the answer."""
    paused_execution_id: Annotated[str, Field(alias='pausedExecutionId')]
    """The id under which the execution is listed as paused."""
    parent_execution_id: Annotated[str, Field(alias='parentExecutionId')]
    """The id of the execution that was answered."""
    new_execution_id: Annotated[str, Field(alias='newExecutionId')]
    """The id of this answer as an execution. Every path that takes an execution id takes it too."""
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause that was answered."""
    resume_input: Annotated[Any, Field(alias='resumeInput')]
    """The values by the names of the fields."""
    status: Literal['pending', 'claimed', 'completed', 'failed'] | str
    """`pending` until the run takes the answer, `completed` once it has, `failed` when the answer came too late."""
    queued_at: Annotated[str, Field(alias='queuedAt')]
    """The time at which the answer was committed, in ISO 8601 and UTC."""
    claimed_at: Annotated[str | None, Field(alias='claimedAt')]
    """The time at which the run took the answer; null until then."""
    completed_at: Annotated[str | None, Field(alias='completedAt')]
    """The time at which the run had processed the answer; null until then."""
    failure_reason: Annotated[str | None, Field(alias='failureReason')]
    """The reason for which the answer did not count, in a sentence; null when it counted."""
    actor: dict[str, Any]
    """The user, key or link that answered."""


class VoteView(Model):
    person: str
    """The id of the person, or of the key, that voted."""
    approved: bool
    """True for an approval."""
    at: str
    """The time at which the vote was committed, in ISO 8601 and UTC."""


class ApprovalsView(Model):
    required: int
    """The number of approvals that are needed."""
    veto: bool
    """True when one rejection is enough to reject."""
    allow_starter: Annotated[bool, Field(alias='allowStarter')]
    """True when the starter of the execution may vote too."""
    require_sign_in: Annotated[bool | None, Field(alias='requireSignIn')] = None
    """True when links are refused: only a signed-in user or a personal key may answer."""
    assignees: list[str]
    """The people who may answer, by user id or mail address; empty when roles decide alone."""
    roles: list[str]
    """The roles whose members may answer; empty when assignees decide alone."""
    decision: str
    """The field that says yes or no."""
    votes: list[VoteView] | None = None
    """The votes so far; absent in lists."""


class ParallelScopeView(Model):
    parallel_id: Annotated[str, Field(alias='parallelId')]
    """The id of the parallel block."""
    branch_index: Annotated[int, Field(alias='branchIndex')]
    """The index of the branch, from 0."""
    branch_total: Annotated[int, Field(alias='branchTotal')]
    """The number of branches."""


class LoopScopeView(Model):
    loop_id: Annotated[str, Field(alias='loopId')]
    """The id of the loop block."""
    iteration: int
    """The index of the pass, from 0."""


class PausePointView(Model):
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause. Each visit of a block has a new id."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the human block that asks."""
    registered_at: Annotated[str, Field(alias='registeredAt')]
    """The time at which the pause was opened, in ISO 8601 and UTC."""
    resume_status: Annotated[
        Literal['paused', 'queued', 'resuming', 'resumed', 'expired', 'cancelled', 'failed'] | str,
        Field(alias='resumeStatus'),
    ]
    """`paused` while an answer is awaited. `resumed`, `expired`, `cancelled` and `failed` are final."""
    snapshot_ready: Annotated[bool, Field(alias='snapshotReady')]
    """Always true: a pause that can be seen can be answered."""
    resume_links: Annotated[ResumeLinksView, Field(alias='resumeLinks')]
    """The links to answer the pause."""
    response: PauseResponseView | None
    """The message and the form for a person."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """The time at which the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end."""
    queue_position: Annotated[int | None, Field(alias='queuePosition')] = None
    """The position of the answer among the answers that wait for the run, from 1; only when one execution is read."""
    latest_resume_entry: Annotated[
        ResumeEntryView | None, Field(alias='latestResumeEntry')
    ] = None
    """The last answer to the pause; only when one execution is read."""
    approvals: ApprovalsView | None = None
    """The rules when only certain people may answer; absent otherwise."""
    parallel_scope: Annotated[
        ParallelScopeView | None, Field(alias='parallelScope')
    ] = None
    """The branch of a parallel that asks; absent outside a parallel."""
    loop_scope: Annotated[LoopScopeView | None, Field(alias='loopScope')] = None
    """The pass of a loop that asks; absent outside a loop."""


class PausedView(Model):
    paused_execution_id: Annotated[str, Field(alias='pausedExecutionId')]
    """The id under which the execution is listed as paused."""
    pause_points: Annotated[list[PausePointView], Field(alias='pausePoints')]
    """The open pauses, in the order of their paths: that of branch 2 before that of branch 10."""


class RunMetadataView(Model):
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution. `completed`, `failed` and `cancelled` are final."""
    duration: int | None
    """Milliseconds from start to end, or to now."""
    start_time: Annotated[str | None, Field(alias='startTime')]
    """The start time, in ISO 8601 and UTC; null while the execution is queued."""
    end_time: Annotated[str | None, Field(alias='endTime')]
    """The end time, in ISO 8601 and UTC; null until the execution has ended."""


class SyncResultView(Model):
    logs: list[VisitView] | None = None
    """On request: the block log, a hundred blocks at most."""
    trace_spans: Annotated[list[TraceSpanView] | None, Field(alias='traceSpans')] = None
    """On request: the blocks of `logs` as a tree."""
    total_duration: Annotated[int | None, Field(alias='totalDuration')] = None
    """On request: milliseconds from start to end, or to now."""
    success: bool
    """False when the run failed or was cancelled, although the call is answered with 200; true for a paused run."""
    output: Any
    """The output of the workflow; an empty object until the run has ended."""
    limits: LimitsView
    """The rate limits and the usage of the caller after this call."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the job of this execution, which begins with `job_`."""
    status: Literal['completed', 'failed', 'paused', 'cancelled'] | str
    """The state of the run; `paused` when it waits for a person."""
    error: str | None
    """The failure of the run, in a sentence; null when it did not fail."""
    failure: FailureView | None = None
    """The failure of the run, with its code and its block; absent when it did not fail."""
    paused: PausedView | None = None
    """The open pauses of the run; absent when it does not wait."""
    metadata: RunMetadataView
    """The start and the end of the run."""
    warnings: list[str] | None = None
    """The sent inputs that the workflow does not declare, a sentence each; absent when there are none."""


class ExecuteBody(Model):
    inputs: dict[str, Any] | None = None
    """Inputs as the start block declares them."""
    async_: Annotated[bool | None, Field(alias='async')] = None
    """Answer at once with a job."""
    stream: bool | None = None
    """With Accept: text/event-stream, stream the progress."""


class JobLinksView(Model):
    status: str
    """The absolute URL of the job."""


class AcknowledgementView(Model):
    success: bool
    """Always true: the execution is committed."""
    async_: Annotated[bool, Field(alias='async')]
    """Always true. The answer of a run that has ended does not have it."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the job of this execution, which begins with `job_`."""
    task_id: Annotated[str, Field(alias='taskId')]
    """Equal to jobId."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued'] | str
    """Always `queued`. Read the job for its state."""
    status_url: Annotated[str, Field(alias='statusUrl')]
    """The absolute URL of the job. Read it with the key of this call."""
    links: JobLinksView
    """The URL of the job, in the form that some clients read."""
    message: str
    """The accepted work, in a sentence for people."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of acceptance, in ISO 8601 and UTC."""
    limits: LimitsView
    """The rate limits and the usage of the caller after this call."""
    warnings: list[str] | None = None
    """The sent inputs that the workflow does not declare, a sentence each; absent when there are none."""


class JobMetadataView(Model):
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of acceptance, in ISO 8601 and UTC."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """The start time, in ISO 8601 and UTC; null while the execution is queued."""
    completed_at: Annotated[str | None, Field(alias='completedAt')]
    """The end time, in ISO 8601 and UTC; null until the execution has ended."""
    duration: int | None
    """Milliseconds from start to end; null until it has ended."""


class JobView(Model):
    success: bool
    """Always true: the job was found. The state of the run is in `status`."""
    task_id: Annotated[str, Field(alias='taskId')]
    """Equal to jobId."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the job of this execution, which begins with `job_`."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued', 'processing', 'completed', 'failed'] | str
    """`processing` while the run works or waits for a person. A cancelled run is `failed` too."""
    output: Any | None = None
    """Only when completed: the output of the workflow itself."""
    error: str | None = None
    """The failure of the run, in a sentence; absent when it did not fail."""
    failure: FailureView | None = None
    """The failure of the run, with its code and its block; absent when it did not fail."""
    paused: PausedView | None = None
    """The open pauses of the run; absent when it does not wait for people."""
    metadata: JobMetadataView
    """The times of acceptance, start and end."""


class ExecutionView(Model):
    logs: list[VisitView] | None = None
    """On request: the block log, a hundred blocks at most."""
    trace_spans: Annotated[list[TraceSpanView] | None, Field(alias='traceSpans')] = None
    """On request: the blocks of `logs` as a tree."""
    total_duration: Annotated[int | None, Field(alias='totalDuration')] = None
    """On request: milliseconds from start to end, or to now."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the job of this execution, which begins with `job_`."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The name of the workflow when the execution was accepted."""
    version: int
    """The version of the workflow that the execution is pinned to."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution. `completed`, `failed` and `cancelled` are final."""
    mode: Literal['sync', 'async'] | str
    """`sync` when the caller waited, `async` when the caller asked for a job."""
    trigger: str
    """The origin: `api`, or `workflow` for a child of another execution."""
    actor: dict[str, Any]
    """The user or the key that started the execution."""
    inputs: dict[str, Any]
    """The inputs, with the defaults of the start block."""
    output: Any
    """The output of the workflow; null until the run has completed."""
    error: str | None
    """The failure of the run, in a sentence; null when it did not fail."""
    failure: FailureView | None
    """The failure of the run, with its code and its block; null when it did not fail."""
    paused: PausedView | None
    """The open pauses of the run; null when it does not wait for people."""
    cancel_requested: Annotated[bool, Field(alias='cancelRequested')]
    """True when a cancel was asked for."""
    blocks: list[VisitView]
    """One page of the block log, in the order of the visits."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""
    temporal_url: Annotated[str | None, Field(alias='temporalUrl')]
    """The run in the Temporal UI."""
    metadata: JobMetadataView
    """The times of acceptance, start and end."""


class StoredValueView(Model):
    data: Any
    """The value, as the block gave it."""


class CancelView(Model):
    success: bool
    """Always true: the request to end is committed."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution at the time of this call."""
    message: str
    """The next step, in a sentence for people."""


class GraphBlockView(Model):
    id: str
    """The id of the block in the definition."""
    name: str
    """The name of the block; its id when it has none."""
    type: str
    """The type of the block, for example `http`."""
    container: str | None
    """The id of the loop or parallel around the block; null at the top."""
    status: str
    """The state of the last visit that was not skipped; `paused` or `running` while a visit is open; or `not visited`."""
    visits: int
    """The number of visits, with the skipped visits."""
    states: dict[str, Any]
    """The number of visits by state, for example `{ "completed": 18, "failed": 2 }`."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """The start of its first visit, in ISO 8601 and UTC; null when there was none."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """The end of its last visit, in ISO 8601 and UTC; null while a visit is open."""


class GraphEdgeView(Model):
    from_: Annotated[str, Field(alias='from')]
    """The id of a block, or `start`."""
    to: str
    """The id of the block that the edge leads to."""
    port: str
    """The port of the block that it leaves, for example `out` or `error`."""
    taken: bool
    """True when the run went this way."""


class GraphView(Model):
    blocks: list[GraphBlockView]
    """All blocks of the executed definition."""
    edges: list[GraphEdgeView]
    """All edges of the executed definition."""


class LogBlockView(Model):
    path: str
    """The path of the visit: the id of the block and the passes around it, for example `call@each[2]`."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the block in the definition."""
    name: str
    """The name of the block; its id when it has none."""
    type: str
    """The type of the block, for example `http`."""
    status: str
    """The state of the visit: `running` or `paused` while it lasts, then `completed`, `failed`, `skipped` or `cancelled`."""
    started_at: Annotated[str, Field(alias='startedAt')]
    """The start time, in ISO 8601 and UTC."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """The end time, in ISO 8601 and UTC; null while the block runs."""
    duration: int | None
    """Milliseconds from start to end; null while it runs."""
    attempts: int
    """The number of attempts; 0 for a block without an effect."""
    port: str | None
    """The port by which the run left the block; null while the block runs and when there was no port."""
    failure: FailureView | None
    """The failure of the block; null when it did not fail."""


class OpenPauseView(Model):
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the human block that asks."""
    title: str
    """The question in a line."""
    registered_at: Annotated[str, Field(alias='registeredAt')]
    """The time at which the pause was opened, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """The time at which the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end."""
    api_url: Annotated[str, Field(alias='apiUrl')]
    """The URL to which a program posts the answer, with a key."""
    ui_url: Annotated[str | None, Field(alias='uiUrl')]
    """The page to answer the pause; null for a caller who may not answer."""


class TimelineView(Model):
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    parent_execution_id: Annotated[str | None, Field(alias='parentExecutionId')]
    """The id of the parent execution; null when a caller started it."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The name of the workflow when the execution was accepted."""
    version: int
    """The version of the workflow that the execution is pinned to."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution. `completed`, `failed` and `cancelled` are final."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of acceptance, in ISO 8601 and UTC."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """The start time, in ISO 8601 and UTC; null while the execution is queued."""
    completed_at: Annotated[str | None, Field(alias='completedAt')]
    """The end time, in ISO 8601 and UTC; null until the execution has ended."""
    failure: FailureView | None
    """The failure of the run; null when it did not fail."""
    graph: GraphView
    """The blocks and edges of the executed version, with the state of each."""
    counts_all: Annotated[bool, Field(alias='countsAll')]
    """False when the run has more visits than the 20,000 that are counted for the graph."""
    visits: list[LogBlockView]
    """One page of the visits, in their order, without outputs."""
    pause_points: Annotated[list[OpenPauseView], Field(alias='pausePoints')]
    """The pauses that are open, a hundred at most."""
    temporal_url: Annotated[str | None, Field(alias='temporalUrl')]
    """The run in the UI of Temporal, when there is one."""
    page_url: Annotated[str, Field(alias='pageUrl')]
    """The timeline as a page for a browser. Anyone with this link can open it for a day."""


class DeploymentView(Model):
    id: str
    """The id of the workflow."""
    is_deployed: Annotated[bool, Field(alias='isDeployed')]
    """True when a version is live and the workflow can be executed."""
    deployed_at: Annotated[str | None, Field(alias='deployedAt')]
    """The time at which the live version became live, in ISO 8601 and UTC; null when no version is live."""
    version: int | None
    """The number of the live version; null when no version is live."""
    warnings: list[str]
    """The warnings about likely mistakes, a sentence each. Warnings do not stop a deploy."""


class DeployBody(Model):
    name: str | None = None
    """A name for the version. Left out: no name."""
    description: str | None = None
    """Notes on the version. Left out: no notes."""
    strict: bool | None = None
    """Refuses a definition that names a secret, table, knowledge base or workflow that does not exist."""


class WaitingView(Model):
    version: int
    """The version that the executions are pinned to."""
    count: int
    """The number of its executions that wait for people."""
    execution_ids: Annotated[list[str], Field(alias='executionIds')]
    """The ids of the oldest of these executions, ten at most."""


class PreviewView(Model):
    faults: list[DetailView]
    """The faults for which a deploy of the draft would be refused."""
    warnings: list[str]
    """The warnings about likely mistakes, a sentence each."""
    waiting: list[WaitingView]
    """Executions that wait for people, by their version."""


class RollbackBody(Model):
    version: int | None = None
    """The number of the version. Left out: the previous live version."""


class VersionSummaryView(Model):
    id: str
    """The id of the workflow. The number identifies the version."""
    version: int
    """The number of the version, from 1."""
    name: str
    """The name that was given at the deploy; empty when there was none."""
    description: str
    """The notes that were given at the deploy; empty when there were none."""
    is_active: Annotated[bool, Field(alias='isActive')]
    """True for the live version."""
    warnings: list[str]
    """The warnings at its deploy, a sentence each."""
    created_by: Annotated[str, Field(alias='createdBy')]
    """The id of the user or of the key that deployed it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which it was deployed, in ISO 8601 and UTC."""


class VersionView(Model):
    id: str
    """The id of the workflow. The number identifies the version."""
    version: int
    """The number of the version, from 1."""
    name: str
    """The name that was given at the deploy; empty when there was none."""
    description: str
    """The notes that were given at the deploy; empty when there were none."""
    is_active: Annotated[bool, Field(alias='isActive')]
    """True for the live version."""
    warnings: list[str]
    """The warnings at its deploy, a sentence each."""
    created_by: Annotated[str, Field(alias='createdBy')]
    """The id of the user or of the key that deployed it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which it was deployed, in ISO 8601 and UTC."""
    definition: dict[str, Any]
    """The definition, as it was when it was deployed; it never changes."""


class LastExecutionView(Model):
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of that execution."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of acceptance, in ISO 8601 and UTC."""


class RecentExecutionView(Model):
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of that execution."""
    duration: int | None
    """Milliseconds from start to end; null while it runs."""


class ListedWorkflowView(Model):
    id: str
    """The id of the workflow, which begins with `wf_`."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of its workspace."""
    name: str
    """The name, which is unique in the workspace."""
    description: str
    """The description of the workflow; empty when there is none."""
    folder: str
    """The path of the folder, for example `sales/eu`; empty for the top."""
    is_deployed: Annotated[bool, Field(alias='isDeployed')]
    """True when a version is live and the workflow can be executed."""
    deployed_at: Annotated[str | None, Field(alias='deployedAt')]
    """The time at which the live version became live, in ISO 8601 and UTC; null when no version is live."""
    version: int | None
    """The number of the live version; null when no version is live."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of creation, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time of the last change, in ISO 8601 and UTC."""
    last_execution: Annotated[LastExecutionView | None, Field(alias='lastExecution')]
    """The last execution; null when there was none."""
    recent_executions: Annotated[
        list[RecentExecutionView], Field(alias='recentExecutions')
    ]
    """The last twelve executions at most, the oldest first."""


class FolderView(Model):
    path: str
    """The path of the folder; empty for the top."""
    workflow_count: Annotated[int, Field(alias='workflowCount')]
    """The number of workflows in the folder, without its subfolders."""
    deployed_count: Annotated[int, Field(alias='deployedCount')]
    """The number of deployed workflows among these."""


class WorkflowView(Model):
    id: str
    """The id of the workflow, which begins with `wf_`."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of its workspace."""
    name: str
    """The name, which is unique in the workspace."""
    description: str
    """The description of the workflow; empty when there is none."""
    folder: str
    """The path of the folder, for example `sales/eu`; empty for the top."""
    is_deployed: Annotated[bool, Field(alias='isDeployed')]
    """True when a version is live and the workflow can be executed."""
    deployed_at: Annotated[str | None, Field(alias='deployedAt')]
    """The time at which the live version became live, in ISO 8601 and UTC; null when no version is live."""
    version: int | None
    """The number of the live version; null when no version is live."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of creation, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time of the last change, in ISO 8601 and UTC."""
    definition: dict[str, Any]
    """The draft. Executions run the live version."""


class CreateWorkflowBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str
    """The name, which no other workflow of the workspace may have."""
    description: str | None = None
    """The description of the workflow; empty when left out."""
    folder: str | None = None
    """The path of the folder, for example `sales/eu`; empty for the top."""
    definition: dict[str, Any]
    """The definition; /api/v1/definition-schema holds its JSON Schema."""


class ValidationView(Model):
    valid: bool
    """True when there are no faults and a deploy is possible."""
    faults: list[DetailView]
    """Every fault, with its block and the path of its field; empty when there are none."""
    warnings: list[str]
    """The warnings about likely mistakes, a sentence each."""


class ValidateBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """Accepted and ignored."""
    description: str | None = None
    """Accepted and ignored."""
    folder: str | None = None
    """Accepted and ignored."""
    definition: dict[str, Any]
    """The definition; /api/v1/definition-schema holds its JSON Schema."""


class ImportSummaryView(Model):
    kept: int
    """The number of blocks that work as before."""
    changed: int
    """The number of blocks that work in another way."""
    refused: int
    """The number of blocks that must be made by hand."""


class ImportedBlockView(Model):
    name: str
    """The name of the block in the file."""
    type: str
    """The type of the block in the other product."""
    outcome: Literal['kept', 'changed', 'refused'] | str
    """`kept`: it works as before. `changed`: it works in another way. `refused`: a placeholder, with which a deploy is refused."""
    becomes: str | None
    """The id of the new block, or `start`; null when there is none."""
    note: str
    """The differences, or the advice for a replacement; empty when there are none."""


class ImportNeedView(Model):
    kind: Literal['secret', 'table', 'knowledgeBase', 'workflow', 'mcpServer', 'trigger'] | str
    """The kind of resource."""
    name: str
    """The name by which the workflow looks it up."""
    note: str
    """The purpose of the resource, in a sentence."""


class ImportReportView(Model):
    summary: ImportSummaryView
    """The number of blocks by outcome."""
    blocks: list[ImportedBlockView]
    """All blocks of the file, each once."""
    needs: list[ImportNeedView]
    """The resources that the file names but does not hold, and that must be made."""
    notes: list[str]
    """What is different or left out in the workflow as a whole, in sentences."""


class ForeignImportView(Model):
    workflow: WorkflowView | None
    """The workflow that was created; null in a dry run."""
    definition: dict[str, Any]
    """The definition made from the file."""
    report: ImportReportView
    """The outcome for each block, and the resources that must be made."""


class ImportBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    version: str | None = None
    """The version of the form of exports, `1`."""
    name: str | None = None
    """The name; needed without `from`. A file of n8n has it here too; a file of Sim has it in `workflow`."""
    description: str | None = None
    """The description of the workflow; empty when left out."""
    folder: str | None = None
    """The path of the folder, for example `sales/eu`; empty for the top."""
    definition: dict[str, Any] | None = None
    """The definition; needed without `from`."""
    nodes: list[dict[str, Any]] | None = None
    """In a file of n8n: its nodes."""
    connections: dict[str, Any] | None = None
    """In a file of n8n: its connections, by the name of the node where they begin."""
    workflow: dict[str, Any] | None = None
    """In a file of Sim: its name and description."""
    state: dict[str, Any] | None = None
    """In a file of Sim: its blocks, edges and variables."""


class UpdateWorkflowBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """The new name. Left out: no change."""
    description: str | None = None
    """The new description. Left out: no change."""
    folder: str | None = None
    """The path of the folder, for example `sales/eu`; empty for the top."""
    definition: dict[str, Any] | None = None
    """The new draft as a whole. Left out: no change. The live version does not change."""


class DeletedView(Model):
    id: str
    """The id of the deleted resource. A secret has its name here."""
    deleted: bool
    """Always true."""


class ExportView(Model):
    version: str
    """The version of the form of exports, `1`."""
    name: str
    """The name of the workflow."""
    description: str
    """The description of the workflow; empty when there is none."""
    folder: str
    """The path of the folder, for example `sales/eu`; empty for the top."""
    definition: dict[str, Any]
    """The draft."""


class WorkflowStatusView(Model):
    is_deployed: Annotated[bool, Field(alias='isDeployed')]
    """True when a version is live and the workflow can be executed."""
    deployed_at: Annotated[str | None, Field(alias='deployedAt')]
    """The time at which the live version became live, in ISO 8601 and UTC; null when no version is live."""
    needs_redeployment: Annotated[bool, Field(alias='needsRedeployment')]
    """True when the draft differs from the live version."""


class PausedExecutionView(Model):
    id: str
    """The id under which the execution is listed as paused."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['paused', 'partially_resumed', 'fully_resumed', 'expired', 'cancelled'] | str
    """`paused` while no pause is answered, `partially_resumed` while some are, `fully_resumed` once all are."""
    total_pause_count: Annotated[int, Field(alias='totalPauseCount')]
    """The number of pauses of the execution so far."""
    resumed_count: Annotated[int, Field(alias='resumedCount')]
    """The number of answered pauses."""
    paused_at: Annotated[str, Field(alias='pausedAt')]
    """The time at which it paused first, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time at which a pause was opened, answered or closed last, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """The earliest time at which an open pause ends without an answer; null when all wait without end."""
    metadata: dict[str, Any] | None
    """Facts about the execution as a whole; null when there are none."""
    trigger_ids: Annotated[list[str], Field(alias='triggerIds')]
    """The blocks that paused."""
    pause_points: Annotated[list[PausePointView], Field(alias='pausePoints')]
    """The pauses, the open pauses first. In a list: 20 at most."""


class SnapshotView(Model):
    snapshot: str
    """JSON text of the public state of the run."""
    trigger_ids: Annotated[list[str], Field(alias='triggerIds')]
    """The ids of the blocks that paused."""


class PausedDetailView(Model):
    id: str
    """The id under which the execution is listed as paused."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['paused', 'partially_resumed', 'fully_resumed', 'expired', 'cancelled'] | str
    """`paused` while no pause is answered, `partially_resumed` while some are, `fully_resumed` once all are."""
    total_pause_count: Annotated[int, Field(alias='totalPauseCount')]
    """The number of pauses of the execution so far."""
    resumed_count: Annotated[int, Field(alias='resumedCount')]
    """The number of answered pauses."""
    paused_at: Annotated[str, Field(alias='pausedAt')]
    """The time at which it paused first, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time at which a pause was opened, answered or closed last, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """The earliest time at which an open pause ends without an answer; null when all wait without end."""
    metadata: dict[str, Any] | None
    """Facts about the execution as a whole; null when there are none."""
    trigger_ids: Annotated[list[str], Field(alias='triggerIds')]
    """The blocks that paused."""
    pause_points: Annotated[list[PausePointView], Field(alias='pausePoints')]
    """The pauses, the open pauses first. In a list: 20 at most."""
    execution_snapshot: Annotated[SnapshotView, Field(alias='executionSnapshot')]
    """The state of the run at its pauses."""
    queue: list[ResumeEntryView]
    """The answers to these pauses, the oldest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page of pauses; null on the last page."""


class AnswerFileView(Model):
    id: str
    """The id of the file. Send it in the answer as the value of the file field."""
    name: str
    """The name of the file as it was uploaded."""
    size: int
    """The size of the file in bytes."""
    type: str
    """The media type that the sender declared."""
    url: str
    """The URL to download the file with a key."""


class InboxItemView(Model):
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause. Each visit of a block has a new id."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the human block that asks."""
    registered_at: Annotated[str, Field(alias='registeredAt')]
    """The time at which the pause was opened, in ISO 8601 and UTC."""
    resume_status: Annotated[
        Literal['paused', 'queued', 'resuming', 'resumed', 'expired', 'cancelled', 'failed'] | str,
        Field(alias='resumeStatus'),
    ]
    """`paused` while an answer is awaited. `resumed`, `expired`, `cancelled` and `failed` are final."""
    snapshot_ready: Annotated[bool, Field(alias='snapshotReady')]
    """Always true: a pause that can be seen can be answered."""
    resume_links: Annotated[ResumeLinksView, Field(alias='resumeLinks')]
    """The links to answer the pause."""
    response: PauseResponseView | None
    """The message and the form for a person."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """The time at which the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end."""
    queue_position: Annotated[int | None, Field(alias='queuePosition')] = None
    """The position of the answer among the answers that wait for the run, from 1; only when one execution is read."""
    latest_resume_entry: Annotated[
        ResumeEntryView | None, Field(alias='latestResumeEntry')
    ] = None
    """The last answer to the pause; only when one execution is read."""
    approvals: ApprovalsView | None = None
    """The rules when only certain people may answer; absent otherwise."""
    parallel_scope: Annotated[
        ParallelScopeView | None, Field(alias='parallelScope')
    ] = None
    """The branch of a parallel that asks; absent outside a parallel."""
    loop_scope: Annotated[LoopScopeView | None, Field(alias='loopScope')] = None
    """The pass of a loop that asks; absent outside a loop."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The name of the workflow when the execution was accepted."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution that waits."""
    mine: bool
    """True when the pause asks the caller and waits for the answer of the caller."""


class ChunkingView(Model):
    max_size: Annotated[int, Field(alias='maxSize')]
    """The maximum number of tokens in a chunk, with the overlap."""
    min_size: Annotated[int, Field(alias='minSize')]
    """The minimum number of characters. A smaller piece joins its neighbour when maxSize allows it."""
    overlap: int
    """The number of tokens that a chunk repeats from the previous chunk, in whole sentences; below maxSize."""


class KnowledgeBaseView(Model):
    id: str
    """The id of the knowledge base, which begins with `kb_`."""
    name: str
    """The name, which is unique in the workspace."""
    description: str
    """The description of the content; empty when there is none."""
    doc_count: Annotated[int, Field(alias='docCount')]
    """The number of its documents, with the disabled documents."""
    token_count: Annotated[int, Field(alias='tokenCount')]
    """The number of tokens in all chunks of its documents."""
    embedding_model: Annotated[str, Field(alias='embeddingModel')]
    """The model to which the base is bound."""
    embedding_dimension: Annotated[int, Field(alias='embeddingDimension')]
    """The number of dimensions of the vectors of the model."""
    chunking_config: Annotated[ChunkingView, Field(alias='chunkingConfig')]
    """The settings for cutting its documents into chunks."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of creation, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time of the last change, in ISO 8601 and UTC."""


class ChunkingBody(Model):
    max_size: Annotated[int | None, Field(alias='maxSize')] = None
    """The maximum number of tokens in a chunk, with the overlap."""
    min_size: Annotated[int | None, Field(alias='minSize')] = None
    """The minimum number of characters. A smaller piece joins its neighbour when maxSize allows it."""
    overlap: int | None = None
    """The number of tokens that a chunk repeats from the previous chunk, in whole sentences; below maxSize."""


class CreateKnowledgeBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str
    """The name, which no other knowledge base of the workspace may have."""
    description: str | None = None
    """A description of the content; empty when left out."""
    chunking_config: Annotated[ChunkingBody | None, Field(alias='chunkingConfig')] = (
        None
    )
    """The settings for cutting documents into chunks. Each member has a default."""


class UpdateKnowledgeBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """The new name. Left out: no change."""
    description: str | None = None
    """The new description. Left out: no change."""
    chunking_config: Annotated[ChunkingBody | None, Field(alias='chunkingConfig')] = (
        None
    )
    """The settings for cutting documents into chunks. After a change all documents are processed again. Until then searches find the old chunks."""
    embedding_model: Annotated[str | None, Field(alias='embeddingModel')] = None
    """The model of the installation. A base with another model is bound to it, and all documents are embedded again."""


class TagView(Model):
    id: str
    """The id of the tag, by which it is renamed."""
    name: str
    """The name of the tag in documents and filters."""
    type: Literal['text', 'number', 'date', 'boolean'] | str
    """The type of its values; it decides which operators a filter may use."""


class TagBody(Model):
    id: str | None = None
    """The id of an existing tag, to rename it or to keep its values."""
    name: str
    """The name of the tag in documents and filters."""
    type: Literal['text', 'number', 'date', 'boolean'] | str
    """The type of its values, which cannot be changed later."""


class DefineTagsBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    tags: list[TagBody]
    """All tags. A tag that is left out is removed from all documents."""


class SearchItemView(Model):
    document_id: Annotated[str, Field(alias='documentId')]
    """The id of the document."""
    document_name: Annotated[str, Field(alias='documentName')]
    """The name of the file."""
    source_url: Annotated[str, Field(alias='sourceUrl')]
    """The URL of origin. For an uploaded document: the URL to download its content."""
    content: str
    """The text of the chunk."""
    chunk_index: Annotated[int, Field(alias='chunkIndex')]
    """The place of the chunk in the document, from 0."""
    similarity: float
    """The similarity, from 0 to 1. Results are in this order."""
    metadata: dict[str, Any]
    """Holds knowledgeBaseId, chunkId, the offsets start and end in the text of the document, headings, tokenCount, tags, and cosine, the similarity of the vectors alone."""


class SearchView(Model):
    results: list[SearchItemView]
    """The chunks that were found, the most similar first."""
    query: str
    """The query; empty when none was given."""
    knowledge_base_ids: Annotated[list[str], Field(alias='knowledgeBaseIds')]
    """The knowledge bases that were searched."""
    top_k: Annotated[int, Field(alias='topK')]
    """The requested maximum number of results."""
    total_results: Annotated[int, Field(alias='totalResults')]
    """The number of results, up to topK."""


class TagFilterBody(Model):
    tag_name: Annotated[str, Field(alias='tagName')]
    """The name of a tag that the knowledge base defines."""
    operator: Literal['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'ends_with', 'gt', 'gte', 'lt', 'lte', 'between'] | str | None = (
        None
    )
    """The comparison with the value of a document. The type of the tag decides the allowed operators."""
    value: Any
    """A value of the type of the tag. A date has the form 2026-01-31."""
    value_to: Annotated[Any | None, Field(alias='valueTo')] = None
    """The upper end of `between`."""


class SearchKnowledgeBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    knowledge_base_ids: Annotated[list[str], Field(alias='knowledgeBaseIds')]
    """One to twenty ids of knowledge bases."""
    query: str | None = None
    """The question. It may be left out when tagFilters are given."""
    top_k: Annotated[int | None, Field(alias='topK')] = None
    """The maximum number of results."""
    tag_filters: Annotated[list[TagFilterBody] | None, Field(alias='tagFilters')] = None
    """Conditions on the tags. A document must match all of them. Only for a search in one knowledge base."""


class ProgressView(Model):
    chunks_done: Annotated[int, Field(alias='chunksDone')]
    """The number of embedded chunks."""
    chunks_total: Annotated[int | None, Field(alias='chunksTotal')]
    """The number of all chunks; null until the document has been read."""


class DocumentView(Model):
    id: str
    """The id of the document, which begins with `doc_`."""
    knowledge_base_id: Annotated[str, Field(alias='knowledgeBaseId')]
    """The id of its knowledge base."""
    filename: str
    """The name of the file."""
    file_size: Annotated[int, Field(alias='fileSize')]
    """The size of the content in bytes; 0 until the URL has been fetched."""
    mime_type: Annotated[str, Field(alias='mimeType')]
    """The media type of its content."""
    processing_status: Annotated[
        Literal['pending', 'processing', 'completed', 'failed'] | str,
        Field(alias='processingStatus'),
    ]
    """`pending` until a worker begins. `completed` and `failed` are final. Searches find only completed documents."""
    processing_error: Annotated[str | None, Field(alias='processingError')]
    """The reason of the failure, in a sentence."""
    processing_error_code: Annotated[str | None, Field(alias='processingErrorCode')]
    """The reason of the failure, as a stable word for programs."""
    progress: ProgressView
    """The progress of the embedding."""
    chunk_count: Annotated[int, Field(alias='chunkCount')]
    """The number of its chunks; 0 until it has been processed."""
    token_count: Annotated[int, Field(alias='tokenCount')]
    """The number of tokens in all its chunks; 0 until it has been processed."""
    character_count: Annotated[int, Field(alias='characterCount')]
    """The number of characters in its text; 0 until it has been processed."""
    confidence: float | None
    """How surely its text is what a person reads in the file, from 0 to 1: the share of pages with text, without characters that are damaged or read in a wrong encoding. Null until it has been read."""
    warnings: list[str]
    """What may be missing or wrong in its text, a sentence each, such as pages without text."""
    enabled: bool
    """False for a document that searches leave out."""
    tags: dict[str, Any]
    """Values by tag name. The knowledge base defines the tags."""
    source_url: Annotated[str, Field(alias='sourceUrl')]
    """The URL of origin. For an uploaded document: the URL to download its content."""
    processing_started_at: Annotated[str | None, Field(alias='processingStartedAt')]
    """The time at which a worker began, in ISO 8601 and UTC; null until then."""
    processing_completed_at: Annotated[str | None, Field(alias='processingCompletedAt')]
    """The time at which the worker was done, in ISO 8601 and UTC; null until then."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which it was added, in ISO 8601 and UTC."""


class OffsetPageView(Model):
    total: int
    """The number of all items that match."""
    limit: int
    """The maximum number of items on a page."""
    offset: int
    """The number of items before the page."""
    has_more: Annotated[bool, Field(alias='hasMore')]
    """True when items come after the page."""


class UpdateDocumentBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filename: str | None = None
    """The new name. Left out: no change."""
    enabled: bool | None = None
    """False: searches do not find the document."""
    tags: dict[str, Any] | None = None
    """Values by tag name. The knowledge base defines the tags. Null removes a value."""


class ChunkView(Model):
    id: str
    """The id of the chunk, which begins with `chk_`."""
    chunk_index: Annotated[int, Field(alias='chunkIndex')]
    """The place of the chunk in the document, from 0."""
    content: str
    """The text of the chunk."""
    start_offset: Annotated[int | None, Field(alias='startOffset')]
    """Its start in the text of the document; null after an edit."""
    end_offset: Annotated[int | None, Field(alias='endOffset')]
    """Its end in the text of the document; null after an edit."""
    headings: list[str]
    """The headings above the chunk, which are embedded with it."""
    token_count: Annotated[int, Field(alias='tokenCount')]
    """The number of its tokens."""
    enabled: bool
    """False for a chunk that searches leave out."""


class UpdateChunkBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    content: str | None = None
    """The new text. It is embedded before the call is answered."""
    enabled: bool | None = None
    """False: searches do not find the chunk."""


class CostView(Model):
    total: float
    """The booked cost of the execution and its calls."""


class LogWorkflowView(Model):
    id: str
    """The id of the workflow."""
    name: str
    """The current name of the workflow, or its last name when it was deleted."""
    description: str
    """The description of the workflow; empty when there is none."""
    folder: str
    """The path of the folder, for example `sales/eu`; empty for the top."""
    deleted: bool
    """True when the workflow was deleted."""


class LogView(Model):
    id: str
    """The id of the log: the id of the execution with `log_` in front."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of its workspace."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The current name of the workflow, or its last name when it was deleted."""
    version: int
    """The number of the version that the execution runs."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    deployment_version_id: Annotated[str | None, Field(alias='deploymentVersionId')]
    """The id of the deployed version; null when it was deleted with its workflow."""
    level: Literal['info', 'error'] | str
    """`error` for a failed execution, `info` for every other."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution. `completed`, `failed` and `cancelled` are final."""
    trigger: str
    """The origin: `api`, or `workflow` for a child of another execution."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of acceptance. Lists are in this order."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """The start time, in ISO 8601 and UTC; null while the execution is queued."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """The end time, in ISO 8601 and UTC; null until the execution has ended."""
    total_duration_ms: Annotated[int | None, Field(alias='totalDurationMs')]
    """Milliseconds from start to end; null until it has ended."""
    cost: CostView | None
    """The cost; null while nothing is booked."""
    error: str | None
    """The reason of the failure or the cancel, in a sentence."""
    workflow: LogWorkflowView | None = None
    """The executed workflow; only with `details=full`."""
    blocks: list[LogBlockView] | None = None
    """The first hundred blocks, without their outputs."""
    blocks_cut: Annotated[bool | None, Field(alias='blocksCut')] = None
    """True when there are more blocks. The log has them all, by pages."""
    final_output: Annotated[Any | None, Field(alias='finalOutput')] = None
    """The output of the workflow. A large output is a reference: `$payload` is its id, `bytes` its size."""
    trace_spans: Annotated[list[TraceSpanView] | None, Field(alias='traceSpans')] = None
    """The blocks as a tree; only on request, with `details=full`."""


class LogMetadataView(Model):
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution. `completed`, `failed` and `cancelled` are final."""
    trigger: str
    """The origin: `api`, or `workflow` for a child of another execution."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """The start time, in ISO 8601 and UTC; null while the execution is queued."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """The end time, in ISO 8601 and UTC; null until the execution has ended."""
    total_duration_ms: Annotated[int | None, Field(alias='totalDurationMs')]
    """Milliseconds from start to end; null until it has ended."""
    cost: CostView | None
    """The cost of the execution; null while nothing is booked."""


class LogStateView(Model):
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_state: Annotated[dict[str, Any] | None, Field(alias='workflowState')]
    """The executed definition; null when it was deleted with its workflow."""
    execution_metadata: Annotated[LogMetadataView, Field(alias='executionMetadata')]
    """The state, the times and the cost of the execution."""
    limits: LimitsView
    """The rate limits and the usage of the caller after this call."""


class ExecutionDataView(Model):
    final_output: Annotated[Any, Field(alias='finalOutput')]
    """The output of the workflow; null until the run has completed."""
    blocks: list[VisitView]
    """One page of the block log, with outputs."""
    trace_spans: Annotated[list[TraceSpanView], Field(alias='traceSpans')]
    """The blocks of the page as a tree."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page of blocks; null on the last page."""


class LogDetailView(Model):
    id: str
    """The id of the log: the id of the execution with `log_` in front."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of its workspace."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The current name of the workflow, or its last name when it was deleted."""
    version: int
    """The number of the version that the execution runs."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    deployment_version_id: Annotated[str | None, Field(alias='deploymentVersionId')]
    """The id of the deployed version; null when it was deleted with its workflow."""
    level: Literal['info', 'error'] | str
    """`error` for a failed execution, `info` for every other."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution. `completed`, `failed` and `cancelled` are final."""
    trigger: str
    """The origin: `api`, or `workflow` for a child of another execution."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of acceptance. Lists are in this order."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """The start time, in ISO 8601 and UTC; null while the execution is queued."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """The end time, in ISO 8601 and UTC; null until the execution has ended."""
    total_duration_ms: Annotated[int | None, Field(alias='totalDurationMs')]
    """Milliseconds from start to end; null until it has ended."""
    cost: CostView | None
    """The cost; null while nothing is booked."""
    error: str | None
    """The reason of the failure or the cancel, in a sentence."""
    workflow: LogWorkflowView | None = None
    """The executed workflow; only with `details=full`."""
    blocks: list[LogBlockView] | None = None
    """The first hundred blocks, without their outputs."""
    blocks_cut: Annotated[bool | None, Field(alias='blocksCut')] = None
    """True when there are more blocks. The log has them all, by pages."""
    final_output: Annotated[Any | None, Field(alias='finalOutput')] = None
    """The output of the workflow. A large output is a reference: `$payload` is its id, `bytes` its size."""
    trace_spans: Annotated[list[TraceSpanView] | None, Field(alias='traceSpans')] = None
    """The blocks as a tree; only on request, with `details=full`."""
    execution_data: Annotated[ExecutionDataView, Field(alias='executionData')]
    """The output and the blocks of the execution."""


class ToolChoiceView(Model):
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    name: str | None
    """The chosen name of the tool; null when the name comes from the workflow."""
    description: str | None
    """The chosen description; null when the description comes from the workflow."""
    read_only_hint: Annotated[bool | None, Field(alias='readOnlyHint')]
    """True when the tool changes nothing; null when nothing is declared."""
    destructive_hint: Annotated[bool | None, Field(alias='destructiveHint')]
    """True when the tool may destroy something; null when nothing is declared."""
    idempotent_hint: Annotated[bool | None, Field(alias='idempotentHint')]
    """True when a repeated call changes nothing more; null when nothing is declared."""


class McpServerView(Model):
    id: str
    """The id of the server, which begins with `mcp_`."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of its workspace."""
    name: str
    """The name, which is unique in the workspace."""
    description: str
    """The description of the server for agents."""
    folder: str | None
    """The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder."""
    tools: list[ToolChoiceView]
    """The chosen workflows and the settings of their tools."""
    wait_seconds: Annotated[int, Field(alias='waitSeconds')]
    """The seconds that a call waits for a result before it goes on as a task."""
    url: str
    """The address for agents. A call needs a key or a token of this workspace."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of creation, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time of the last change, in ISO 8601 and UTC."""


class ToolChoiceBody(Model):
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of a workflow of the workspace."""
    name: str | None = None
    """The name of the tool. Left out: a name made from the name of the workflow."""
    description: str | None = None
    """The description of the tool for agents. Left out: the description of the workflow."""
    read_only_hint: Annotated[bool | None, Field(alias='readOnlyHint')] = None
    """Tells clients that the tool changes nothing."""
    destructive_hint: Annotated[bool | None, Field(alias='destructiveHint')] = None
    """Tells clients that the tool may destroy something."""
    idempotent_hint: Annotated[bool | None, Field(alias='idempotentHint')] = None
    """Tells clients that a repeated call changes nothing more."""


class CreateMcpServerBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str
    """The name, which no other server of the workspace may have."""
    description: str | None = None
    """The description of the server for agents; empty when left out."""
    folder: str | None = None
    """The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder."""
    tools: list[ToolChoiceBody] | None = None
    """Workflows that are offered from any folder, and settings for their tools."""
    wait_seconds: Annotated[int | None, Field(alias='waitSeconds')] = None
    """The seconds that a call waits for a result before it goes on as a task."""


class UpdateMcpServerBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """The new name. Left out: no change."""
    description: str | None = None
    """The new description. Left out: no change."""
    folder: str | None = None
    """The folder whose deployed workflows are offered, with its subfolders. Empty: all workflows of the workspace. Null: no folder."""
    tools: list[ToolChoiceBody] | None = None
    """The new list as a whole. Left out: no change."""
    wait_seconds: Annotated[int | None, Field(alias='waitSeconds')] = None
    """The seconds that a call waits for a result before it goes on as a task."""


class McpGrantPersonView(Model):
    id: str
    """The id of the user."""
    email: str
    """The mail address of the user."""
    name: str
    """The name of the user."""


class McpGrantView(Model):
    id: str
    """The id of the grant."""
    client: str
    """The address of the metadata document of the client."""
    person: McpGrantPersonView
    """The user who gave the grant, with a personal key."""
    scopes: list[str]
    """The scopes of the grant: `execute:{serverId}` and `read`."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of the grant, in ISO 8601 and UTC."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """The time at which the grant expires, in ISO 8601 and UTC."""


class TrailEntryView(Model):
    at: str
    """The time of the event, in ISO 8601 and UTC."""
    event: str
    """The event: `opened`, `told`, `delegated`, `answered`, `answer refused`, or the end of the pause."""
    who: str | None
    """The person, key or address of the event; null when there is none."""
    note: str
    """More about the event, for example the title, the reason or the decision; empty when there is nothing."""


class DelegateBody(Model):
    to: str
    """The e-mail address or user id of the person who will answer instead."""
    note: str | None = None
    """A message to that person. It is kept in the history."""


class ResumeMetadataView(Model):
    duration: int
    """Milliseconds from start to end, or to now."""
    start_time: Annotated[str, Field(alias='startTime')]
    """The time at which the answer was taken, in ISO 8601 and UTC."""
    end_time: Annotated[str | None, Field(alias='endTime')]
    """The time at which the run had ended or waited again; null until then."""


class ResumeResultView(Model):
    success: bool
    """False when the run failed or was cancelled after the answer; true when it waits again."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the run after the answer."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of this answer as an execution. Every path that takes an execution id takes it too."""
    output: Any
    """The output of the workflow; an empty object until the run has completed."""
    error: str | None
    """The failure of the run, in a sentence; null when it did not fail."""
    failure: FailureView | None = None
    """The failure of the run; absent when it did not fail."""
    paused: PausedView | None = None
    """The open pauses of the run now; absent when it does not wait."""
    metadata: ResumeMetadataView
    """The times at which the run went on and stopped."""


class ResumeBody(Model):
    input: dict[str, Any] | None = None
    """The answers, by the names of the form fields."""
    async_: Annotated[bool | None, Field(alias='async')] = None
    """Answer at once with a job."""


class ResumeAcknowledgementView(Model):
    success: bool
    """Always true: the answer is committed."""
    async_: Annotated[bool, Field(alias='async')]
    """Always true. The answer of a run that has ended does not have it."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the job of this execution, which begins with `job_`."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of this answer as an execution. Every path that takes an execution id takes it too."""
    message: str
    """The accepted work, in a sentence for people."""
    status_url: Annotated[str, Field(alias='statusUrl')]
    """The absolute URL of the job. Read it with the key of this call."""


class ColumnView(Model):
    name: str
    """The name of the column, unique in the table."""
    type: Literal['string', 'number', 'boolean', 'date', 'json'] | str
    """The type of its cells."""
    required: bool
    """True when a cell may not be empty."""
    unique: bool
    """True when no two rows may have the same value; empty cells do not count."""
    default: Any | None = None
    """The value for a row that is inserted without one; null for no default."""
    index: Literal['building', 'ready', 'failed'] | str | None = None
    """The state of the index; absent when the column has none."""


class SchemaView(Model):
    columns: list[ColumnView]
    """The columns, in their order."""


class TableView(Model):
    id: str
    """The id of the table, which begins with `tbl_`."""
    name: str
    """The name, which is unique in the workspace; blocks use it or the id."""
    description: str
    """The description of the content; empty when there is none."""
    schema_: Annotated[SchemaView, Field(alias='schema')]
    """The columns of the table."""
    row_count: Annotated[int, Field(alias='rowCount')]
    """The number of its rows."""
    max_rows: Annotated[int, Field(alias='maxRows')]
    """The maximum number of rows: the limit of its author or of the plan, whichever is lower."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of creation, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time of the last change of its columns or rows."""


class ColumnBody(Model):
    name: str
    """The name: letters, digits and underscores, no digit first."""
    type: Literal['string', 'number', 'boolean', 'date', 'json'] | str
    """The type of its cells."""
    required: bool | None = None
    """True: a row without a value is refused."""
    unique: bool | None = None
    """True: no two rows may have the same value. Empty cells do not count."""
    default: Any | None = None
    """The value for a row that is inserted without one; null for no default."""
    indexed: bool | None = None
    """True: an index makes filters on the column fast. It is built while others write."""


class SchemaBody(Model):
    columns: list[ColumnBody]
    """The columns, in the order in which they are shown."""


class CreateTableBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str
    """The name, which no other table has: letters, digits and underscores, no digit first."""
    description: str | None = None
    """A description of the content; empty when left out."""
    schema_: Annotated[SchemaBody, Field(alias='schema')]
    """The columns of the table."""
    max_rows: Annotated[int | None, Field(alias='maxRows')] = None
    """A limit of rows below the limit of the plan."""


class UpdateTableBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """The new name. Left out: no change. Blocks that use the old name then fail."""
    description: str | None = None
    """The new description. Left out: no change."""


class AddColumnBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    column: ColumnBody
    """The new column, which comes last."""


class ColumnUpdates(Model):
    name: str | None = None
    """The new name. Left out: no change."""
    type: Literal['string', 'number', 'boolean', 'date', 'json'] | str | None = None
    """The new type. The change is refused when a cell does not fit it."""
    required: bool | None = None
    """True: no cell may be empty. The change is refused when a cell is empty."""
    unique: bool | None = None
    """True: no two rows may have the same value. The change is refused when two rows do."""
    default: Any | None = None
    """The value for a row that is inserted without one; null for no default."""
    indexed: bool | None = None
    """True: an index makes filters on the column fast. It is built while others write."""


class ChangeColumnBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    column_name: Annotated[str, Field(alias='columnName')]
    """The column to change."""
    updates: ColumnUpdates
    """The members to change. A member that is left out does not change."""


class DeleteColumnBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    column_name: Annotated[str, Field(alias='columnName')]
    """The column to delete; its cells are lost."""


class ExportBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    format: Literal['csv', 'jsonl'] | str | None = None
    """The form of the file."""
    filter: dict[str, Any] | None = None
    """In the form of the list of rows."""
    sort: dict[str, Any] | None = None
    """In the form of the list of rows."""
    guard_formulas: Annotated[bool | None, Field(alias='guardFormulas')] = None
    """True: a quote comes before each text in a CSV that a spreadsheet would read as a formula."""


class RefusedLineView(Model):
    line: int
    """The line of the file where the record begins, from 1. In a workbook, the row."""
    message: str
    """The reason for which the line was refused."""


class TakenView(Model):
    format: Literal['csv', 'jsonl', 'json', 'xlsx', 'xls', 'ods'] | str
    """The form of the file."""
    delimiter: str | None
    """The sign between two values of a CSV."""
    encoding: str | None
    """The encoding of a text."""
    sheet: str | None
    """The sheet of a workbook."""
    header: int | None
    """The line of the header; null for a file without."""
    decimal: Literal['.', ','] | str
    """The decimal sign of numbers."""
    date_format: Annotated[str | None, Field(alias='dateFormat')]
    """The form of dates; null when all are in ISO 8601."""
    nulls: Literal['null', 'default'] | str
    """What an empty cell becomes."""
    mapping: dict[str, Any]
    """The column of the table by the name of the column in the file; null is left out."""
    created_columns: Annotated[list[str], Field(alias='createdColumns')]
    """The columns that the import adds to the table."""


class ImportView(Model):
    inserted_count: Annotated[int, Field(alias='insertedCount')]
    """The number of inserted rows."""
    refused_count: Annotated[int, Field(alias='refusedCount')]
    """The number of refused lines of the file."""
    refused: list[RefusedLineView]
    """The first hundred of the refused lines."""
    table_id: Annotated[str, Field(alias='tableId')]
    """The id of the table."""
    taken: TakenView
    """The way in which the file was read."""


class ImportJobView(Model):
    inserted_count: Annotated[int, Field(alias='insertedCount')]
    """The number of inserted rows."""
    refused_count: Annotated[int, Field(alias='refusedCount')]
    """The number of refused lines of the file."""
    refused: list[RefusedLineView]
    """The first hundred of the refused lines."""
    id: str
    """The id of the import, which begins with `imp_`."""
    table_id: Annotated[str, Field(alias='tableId')]
    """The id of the table."""
    status: Literal['pending', 'processing', 'completed', 'failed', 'cancelled'] | str
    """The state of the import. `completed`, `failed` and `cancelled` are final."""
    format: Literal['csv', 'jsonl', 'json', 'xlsx', 'xls', 'ods'] | str
    """The form of the file."""
    mode: Literal['all', 'good'] | str
    """`all`: one bad line refuses the file. `good`: a bad line refuses only itself."""
    taken: TakenView | None
    """The way in which the file is read; null until a worker begins."""
    size: int
    """The size of the file in bytes."""
    line_count: Annotated[int, Field(alias='lineCount')]
    """The number of lines with rows that are processed so far."""
    error: str | None
    """The reason of the failure."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which the file was stored, in ISO 8601 and UTC."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """The time at which a worker began, in ISO 8601 and UTC; null until then."""
    completed_at: Annotated[str | None, Field(alias='completedAt')]
    """The time at which the import ended, in ISO 8601 and UTC; null until then."""


class ImportBegunData(Model):
    import_: Annotated[ImportJobView, Field(alias='import')]
    """The import, which waits for a worker."""
    status_url: Annotated[str, Field(alias='statusUrl')]
    """The absolute URL of the import."""
    message: str
    """The accepted work, in a sentence for people."""


class ImportBegunView(Model):
    success: bool
    """Always true: the file is stored."""
    data: ImportBegunData
    """The import and the URL of its progress."""


class FileColumnView(Model):
    name: str
    """The name in the file, or `column 3` for one without."""
    type: Literal['string', 'number', 'boolean', 'date', 'json'] | str
    """The type that its first values have."""
    samples: list[str]
    """The first three values that are not empty."""
    column: str | None
    """The column of the table; null when it is left out."""


class ImportPreviewView(Model):
    taken: TakenView
    """The way in which an import would read the file."""
    columns: list[FileColumnView]
    """The columns of the file."""
    sheets: list[str]
    """The sheets of a workbook."""
    checked_count: Annotated[int, Field(alias='checkedCount')]
    """The number of lines that were tried: the first ten thousand."""
    refused_count: Annotated[int, Field(alias='refusedCount')]
    """The number of these lines that an import would refuse."""
    refused: list[RefusedLineView]
    """The first hundred of the refused lines."""


class ImportPageView(Model):
    imports: list[ImportJobView]
    """The imports, the newest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class RowView(Model):
    id: str
    """The id of the row, which begins with `row_`."""
    data: dict[str, Any]
    """The values by column name; null for an empty cell."""
    position: int
    """The number of the row in order of insertion. A deleted row leaves a gap."""
    version: int
    """The version of the row, which is also its ETag. It rises with each change of the table."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which it was inserted, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time of the last change, in ISO 8601 and UTC."""
    execution_id: Annotated[str | None, Field(alias='executionId')]
    """The execution that last wrote the row; null when an API call wrote it."""


class RowPageView(Model):
    rows: list[RowView]
    """The rows of the page, in the requested order."""
    row_count: Annotated[int, Field(alias='rowCount')]
    """The number of rows on this page."""
    total_count: Annotated[int, Field(alias='totalCount')]
    """The exact number of all rows that match."""
    limit: int
    """The maximum number of rows on a page."""
    offset: int
    """The number of rows before the page; 0 with a cursor."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""
    change_token: Annotated[str, Field(alias='changeToken')]
    """A token for `changedSince`, to read the changes from now on."""
    deleted_row_ids: Annotated[list[str] | None, Field(alias='deletedRowIds')] = None
    """With `changedSince`: the ids of rows that were deleted since."""
    has_more: Annotated[bool | None, Field(alias='hasMore')] = None
    """With `changedSince`: true when more changes can be read now."""


class QueryRowsBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filter: dict[str, Any] | None = None
    """Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them."""
    sort: dict[str, Any] | None = None
    """Up to five columns with asc or desc, in order of priority. Empty cells come last."""
    limit: int | None = None
    """The maximum number of rows on a page."""
    offset: int | None = None
    """The number of rows before the page."""
    cursor: str | None = None
    """The `nextCursor` of the previous page, in place of an offset."""
    changed_since: Annotated[str | None, Field(alias='changedSince')] = None
    """The `changeToken` of an earlier answer, to read only later changes and deletions. Only `limit` may be sent with it."""


class InsertedView(Model):
    row: RowView | None = None
    """The row; only when `data` was sent."""
    rows: list[RowView]
    """The rows, in the order in which they were sent."""
    inserted_count: Annotated[int, Field(alias='insertedCount')]
    """The number of inserted rows."""
    message: str
    """The result, in a sentence for people."""


class InsertRowsBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    data: dict[str, Any] | None = None
    """The values of one row by column."""
    rows: list[dict[str, Any]] | None = None
    """In place of `data`: the values of up to 1,000 rows."""


class UpsertRowBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    data: dict[str, Any]
    """Values by column. null empties a cell."""
    conflict_target: Annotated[str | None, Field(alias='conflictTarget')] = None
    """The unique column that identifies the row. It may be left out when the table has only one unique column."""


class GroupView(Model):
    by: dict[str, Any]
    """The values of the columns by which rows are grouped."""
    values: dict[str, Any]
    """The computed values, by the names in the request."""


class AggregateView(Model):
    groups: list[GroupView]
    """One group for each combination of values. Without columns there is one group."""
    has_more: Annotated[bool, Field(alias='hasMore')]
    """True when there are more than a thousand groups. The answer has the first thousand."""


class AggregateBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filter: dict[str, Any] | None = None
    """Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them."""
    group_by: Annotated[list[str] | None, Field(alias='groupBy')] = None
    """The columns to group by, two at most."""
    aggregates: dict[str, Any]
    """The wanted values, by names of your choice: {"total": {"sum": "amount"}, "rows": {"count": "*"}}. Functions are count, sum, avg, min and max."""


class RowUpdate(Model):
    row_id: Annotated[str, Field(alias='rowId')]
    """The id of the row to change."""
    data: dict[str, Any]
    """Values by column. null empties a cell."""
    version: int | None = None
    """Nothing is written when the row has another version."""


class UpdateRowsBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    updates: list[RowUpdate]
    """The changes, each of another row. All are made or none."""


class UpdateByFilterBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filter: dict[str, Any] | None = None
    """Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them."""
    all: bool | None = None
    """True: the call is for every row. Without it an empty filter is refused."""
    data: dict[str, Any]
    """Values by column. null empties a cell."""


class DeleteRowsBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filter: dict[str, Any] | None = None
    """Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them."""
    all: bool | None = None
    """True: the call is for every row. Without it an empty filter is refused."""
    row_ids: Annotated[list[str] | None, Field(alias='rowIds')] = None
    """In place of a filter: up to 1,000 ids of rows."""


class UpdateRowBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    data: dict[str, Any]
    """Values by column. null empties a cell."""


class DeleteRowBody(Model):
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace."""


class WorkspaceView(Model):
    id: str
    """The id of the workspace, which begins with `ws_`."""
    name: str
    """The name of the workspace."""
    plan: str
    """The name of its plan, which sets its limits."""
    personal_keys_allowed: Annotated[bool, Field(alias='personalKeysAllowed')]
    """False when only workspace keys work here."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of creation, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time of the last change, in ISO 8601 and UTC."""


class CreateWorkspaceBody(Model):
    name: str
    """The name of the workspace."""


class UpdateWorkspaceBody(Model):
    name: str | None = None
    """The new name. Left out: no change."""
    personal_keys_allowed: Annotated[
        bool | None, Field(alias='personalKeysAllowed')
    ] = None
    """False: only workspace keys work here."""


class MemberView(Model):
    user_id: Annotated[str, Field(alias='userId')]
    """The id of the user, which begins with `usr_`."""
    email: str
    """The mail address of the user."""
    name: str
    """The name of the user."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role of the user in the workspace."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which the user joined, in ISO 8601 and UTC."""


class ChangeRoleBody(Model):
    role: Literal['viewer', 'editor', 'admin'] | str
    """The new role of the member."""


class InvitationView(Model):
    id: str
    """The id of the invitation, which begins with `inv_`."""
    email: str
    """The mail address that was invited."""
    name: str
    """The name that a new user gets; empty when none was given."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role of the person after acceptance."""
    status: Literal['pending', 'accepted', 'declined', 'withdrawn', 'expired'] | str
    """`pending` until the person decides. All other states are final."""
    invited_by: Annotated[str, Field(alias='invitedBy')]
    """The id of the user or the key that sent the invitation."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which the person was invited, in ISO 8601 and UTC."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """The time at which the token expires, in ISO 8601 and UTC."""
    decided_at: Annotated[str | None, Field(alias='decidedAt')]
    """The time at which the person accepted or declined, in ISO 8601 and UTC; null until then."""


class MadeInvitationView(Model):
    id: str
    """The id of the invitation, which begins with `inv_`."""
    email: str
    """The mail address that was invited."""
    name: str
    """The name that a new user gets; empty when none was given."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role of the person after acceptance."""
    status: Literal['pending', 'accepted', 'declined', 'withdrawn', 'expired'] | str
    """`pending` until the person decides. All other states are final."""
    invited_by: Annotated[str, Field(alias='invitedBy')]
    """The id of the user or the key that sent the invitation."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which the person was invited, in ISO 8601 and UTC."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """The time at which the token expires, in ISO 8601 and UTC."""
    decided_at: Annotated[str | None, Field(alias='decidedAt')]
    """The time at which the person accepted or declined, in ISO 8601 and UTC; null until then."""
    token: str
    """The token, shown only in this answer. Give it only to the invited person."""


class InviteBody(Model):
    email: str
    """The mail address of the person; only a user with this address can accept."""
    name: str | None = None
    """The name that a new user gets; empty when left out."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role of the person after acceptance."""


class OfferView(Model):
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace of the invitation."""
    workspace_name: Annotated[str, Field(alias='workspaceName')]
    """The name of the workspace of the invitation."""
    email: str
    """The mail address that was invited."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role in the workspace after acceptance."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """The time at which the token expires, in ISO 8601 and UTC."""


class InvitationTokenBody(Model):
    token: str
    """The token of the invitation."""


class JoinedView(Model):
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the joined workspace."""
    user_id: Annotated[str, Field(alias='userId')]
    """The id of the user who has joined."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role of the user in the workspace."""
    key: str | None
    """The first personal key of a new user, shown only in this answer; null for an existing user."""


class DeclinedView(Model):
    status: Literal['declined'] | str
    """Always `declined`."""


class KeyView(Model):
    id: str
    """The id of the key, which begins with `key_`. It is not a secret."""
    name: str
    """The name that tells people what the key is for."""
    kind: Literal['personal', 'workspace'] | str
    """`workspace` for a key of one workspace, `personal` for a key of all workspaces of its user."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role of the key. A personal key has the role of its user in each workspace instead."""
    hint: str
    """The first and the last characters of the value, to tell two keys apart."""
    created_by: Annotated[str, Field(alias='createdBy')]
    """The id of the user or of the key that made it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of creation, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """The time at which the key expires, in ISO 8601 and UTC; null when it does not expire."""
    revoked_at: Annotated[str | None, Field(alias='revokedAt')]
    """The time of the revocation, in ISO 8601 and UTC; null while the key is valid."""
    last_used_at: Annotated[str | None, Field(alias='lastUsedAt')]
    """The time of the last use, in ISO 8601 and UTC; null when there was none."""


class MintedKeyView(Model):
    id: str
    """The id of the key, which begins with `key_`. It is not a secret."""
    name: str
    """The name that tells people what the key is for."""
    kind: Literal['personal', 'workspace'] | str
    """`workspace` for a key of one workspace, `personal` for a key of all workspaces of its user."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role of the key. A personal key has the role of its user in each workspace instead."""
    hint: str
    """The first and the last characters of the value, to tell two keys apart."""
    created_by: Annotated[str, Field(alias='createdBy')]
    """The id of the user or of the key that made it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time of creation, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """The time at which the key expires, in ISO 8601 and UTC; null when it does not expire."""
    revoked_at: Annotated[str | None, Field(alias='revokedAt')]
    """The time of the revocation, in ISO 8601 and UTC; null while the key is valid."""
    last_used_at: Annotated[str | None, Field(alias='lastUsedAt')]
    """The time of the last use, in ISO 8601 and UTC; null when there was none."""
    key: str
    """The value of the key, shown only in this answer."""


class CreateKeyBody(Model):
    name: str
    """A name that tells people what the key is for."""
    role: Literal['viewer', 'editor', 'admin'] | str | None = None
    """The role of the key."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')] = None
    """The time at which the key expires, in ISO 8601. Left out: it does not expire, or it expires with the key that makes it."""


class CreatePersonalKeyBody(Model):
    name: str
    """A name that tells people what the key is for."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')] = None
    """The time at which the key expires, in ISO 8601. Left out: it does not expire, or it expires with the key that makes it."""


class SavedViewView(Model):
    id: str
    """The id of the view, which begins with `view_`."""
    area: Literal['executions', 'workflows', 'audit'] | str
    """The list that the view filters."""
    name: str
    """The name of the view."""
    query: str
    """The filters, as in the query of the address of the list."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which a view of this name was first saved, in ISO 8601 and UTC."""


class SaveViewBody(Model):
    area: Literal['executions', 'workflows', 'audit'] | str
    """The list that the view filters."""
    name: str
    """The name, unique for the list. A second call with it replaces the view."""
    query: str
    """The filters, as in the query of the address of the list."""


class SecretView(Model):
    name: str
    """The name by which blocks read it, for example `secrets.NAME`."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which the secret got its first value, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time at which it got its present value, in ISO 8601 and UTC."""


class PutSecretBody(Model):
    value: str
    """The value, which is stored sealed and never shown again."""


class ProviderView(Model):
    id: str
    """The id of the provider, a part of the address of its sign-in."""
    name: str
    """The name for its button."""


class SignInWaysView(Model):
    mail: bool
    """True when a link by mail signs people in."""
    passkeys: bool
    """True when passkeys sign people in. They need the public address."""
    providers: list[ProviderView]
    """The identity providers by which people sign in."""


class SignedInView(Model):
    user_id: Annotated[str, Field(alias='userId')]
    """The id of the user who has signed in."""
    session_id: Annotated[str, Field(alias='sessionId')]
    """The id of the session; its secret is in the cookie alone."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """The latest time at which the session ends, in ISO 8601 and UTC."""


class SignInLinkBody(Model):
    token: str
    """The token of the link: the text behind `#token=`."""
    confirmed: bool | None = None
    """True after the person was told whose account it is, and agreed: the answer to a refusal with `CONFIRM_SIGN_IN`."""


class SentMailView(Model):
    message: str
    """A sentence for the person. It does not tell whether the address is known."""


class SignInMailBody(Model):
    email: str
    """The mail address of the person who signs in."""


class PasskeyOptionsView(Model):
    options: dict[str, Any]
    """The options for `navigator.credentials`, in the JSON form of WebAuthn."""


class PasskeyAnswerBody(Model):
    response: dict[str, Any]
    """The answer of the browser, in the JSON form of WebAuthn."""


class WaysInView(Model):
    passkey: bool
    """True when the user has a passkey."""
    mail: bool
    """True when a link by mail can reach the user."""
    providers: list[ProviderView]
    """The identity providers at which the user has an identity."""


class OwnWorkspaceView(Model):
    id: str
    """The id of the workspace."""
    name: str
    """The name of the workspace."""
    plan: str
    """The plan of the workspace."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """The role of the user in the workspace."""
    personal_keys_allowed: Annotated[bool, Field(alias='personalKeysAllowed')]
    """False when personal keys are refused. Workspace keys and signed-in users have access in any case."""
    pause_mails: Annotated[bool, Field(alias='pauseMails')]
    """False when the user gets no mail about pauses of the workspace."""
    awaits_provider: Annotated[str | None, Field(alias='awaitsProvider')]
    """The identity provider that gave the membership and must confirm the user before the next call; null when none must."""


class OwnSessionView(Model):
    id: str
    """The id of the session."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which the person signed in, in ISO 8601 and UTC."""


class MeView(Model):
    id: str
    """The id of the user."""
    email: str
    """The mail address of the user."""
    email_proven: Annotated[bool, Field(alias='emailProven')]
    """True when a mail or an identity provider has proven the address."""
    email_proven_at: Annotated[str | None, Field(alias='emailProvenAt')]
    """The time at which the address was proven, in ISO 8601 and UTC; null when it was not."""
    name: str
    """The name of the user."""
    ways: WaysInView
    """The ways by which the user can sign in again."""
    workspaces: list[OwnWorkspaceView]
    """The workspaces of the user, the oldest first."""
    session: OwnSessionView | None
    """The session that makes the call; null for a key."""


class UpdateMeBody(Model):
    name: str
    """The name that others see."""


class UpdateOwnWorkspaceBody(Model):
    pause_mails: Annotated[bool, Field(alias='pauseMails')]
    """False: you get no mail about pauses of the workspace."""


class SessionView(Model):
    id: str
    """The id of the session, which begins with `ses_`. It is not a secret."""
    method: Literal['link', 'mail', 'oidc', 'passkey', 'invitation'] | str
    """The way of sign-in."""
    address: str
    """The address from which the person signed in."""
    browser: str
    """The browser in which the person signed in, in words."""
    current: bool
    """True for the session that makes this call."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which the person signed in, in ISO 8601 and UTC."""
    last_used_at: Annotated[str, Field(alias='lastUsedAt')]
    """The time of the last use, exact to about a minute, in ISO 8601 and UTC."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """The latest time at which the session ends, in ISO 8601 and UTC."""


class RevokedSessionsView(Model):
    message: str
    """The result, in a sentence for people."""


class SignedOutView(Model):
    signed_out: Annotated[bool, Field(alias='signedOut')]
    """Always true."""


class PasskeyView(Model):
    id: str
    """The id of the passkey, which begins with `pky_`."""
    name: str
    """The name that its user gave it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which it was made, in ISO 8601 and UTC."""
    last_used_at: Annotated[str | None, Field(alias='lastUsedAt')]
    """The time of the last sign-in with it; null when there was none."""


class NewPasskeyBody(Model):
    response: dict[str, Any]
    """The answer of the browser, in the JSON form of WebAuthn."""
    name: str
    """A name for the device of the passkey."""


class IdentityView(Model):
    id: str
    """The id of the link, which begins with `idn_`."""
    provider: str
    """The id of the identity provider."""
    provider_name: Annotated[str, Field(alias='providerName')]
    """The name of the identity provider."""
    email: str | None
    """The address at the provider; null when it gave none."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """The time at which it was linked, in ISO 8601 and UTC."""
    last_used_at: Annotated[str, Field(alias='lastUsedAt')]
    """The time at which the provider last confirmed the person, in ISO 8601 and UTC."""


class UsageBucketView(Model):
    requests_per_minute: Annotated[int, Field(alias='requestsPerMinute')]
    """The number of tokens that the bucket gains in a minute."""
    max_burst: Annotated[int, Field(alias='maxBurst')]
    """The maximum number of tokens in the bucket, and so of calls at once."""
    remaining: int
    """The number of tokens left now. A call takes one token."""
    reset_at: Annotated[str, Field(alias='resetAt')]
    """The time at which the bucket is full again if no call comes, in ISO 8601 and UTC."""
    limit: int
    """Equal to requestsPerMinute."""
    is_limited: Annotated[bool, Field(alias='isLimited')]
    """True when no token is left."""


class RateLimitView(Model):
    sync: UsageBucketView
    """The bucket of synchronous executions."""
    async_: Annotated[UsageBucketView, Field(alias='async')]
    """The bucket of asynchronous executions, which are jobs."""
    auth_type: Annotated[str, Field(alias='authType')]
    """The kind of caller. Always `api`: the caller has a key."""


class SpendingView(Model):
    limit: float
    """The cost cap of the member for a calendar month."""
    current_period_cost: Annotated[float, Field(alias='currentPeriodCost')]
    """The cost of the member in this calendar month, in UTC."""
    is_exceeded: Annotated[bool, Field(alias='isExceeded')]
    """True when the cost of the month has reached the limit."""


class StorageView(Model):
    used_bytes: Annotated[int, Field(alias='usedBytes')]
    """The stored bytes of executions, documents and tables."""
    limit_bytes: Annotated[int, Field(alias='limitBytes')]
    """The number of bytes that the plan allows."""
    percent_used: Annotated[float, Field(alias='percentUsed')]
    """The used share in percent, from 0 to 100."""


class TableLimitsView(Model):
    count: int
    """The number of tables."""
    max_tables: Annotated[int, Field(alias='maxTables')]
    """The number of tables that the plan allows."""
    max_rows_per_table: Annotated[int, Field(alias='maxRowsPerTable')]
    """The number of rows that the plan allows in a table."""


class UsageLimitsView(Model):
    success: bool
    """Always true."""
    rate_limit: Annotated[RateLimitView, Field(alias='rateLimit')]
    """The two buckets of executions."""
    usage: UsageView
    """The cost of the workspace in this month, and its limit."""
    member_cap: Annotated[SpendingView | None, Field(alias='memberCap')]
    """The cost cap of the user of a personal key; null without a cap and for a workspace key."""
    storage: StorageView
    """The storage of the workspace and its limit."""
    tables: TableLimitsView
    """The number of tables of the workspace and its limit."""


class UsageGroupView(Model):
    group: str
    """The day, the id of the workflow, the id of the actor, or the kind."""
    name: str | None
    """The name of the workflow, the member or the key."""
    cost: float
    """The cost of the group, in the currency of the prices of the operator."""
    entries: int
    """The number of booked executions and hosted calls."""


class UsageTotalView(Model):
    cost: float
    """The cost of all groups, also beyond `limit`."""
    executions: int
    """The number of kept executions that began in this time, with or without cost; a million at most."""


class MemberCapView(Model):
    user_id: Annotated[str, Field(alias='userId')]
    """The id of the member."""
    monthly_cost: Annotated[float, Field(alias='monthlyCost')]
    """The cost cap of the member for a calendar month."""
    current_period_cost: Annotated[float, Field(alias='currentPeriodCost')]
    """The cost of the member in this calendar month, in UTC."""
    is_exceeded: Annotated[bool, Field(alias='isExceeded')]
    """True when the cost of the month has reached the cap. Executions are then refused with 402."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """The time at which the cap was set last, in ISO 8601 and UTC."""


class SetMemberCapBody(Model):
    monthly_cost: Annotated[float, Field(alias='monthlyCost')]
    """The cost cap of the member for a calendar month. 0 refuses every execution."""


class LivenessView(Model):
    status: Literal['up'] | str
    """Always `up`: a dead process does not answer."""


class DependenciesView(Model):
    database: Literal['up', 'down'] | str
    """The state of Postgres. Without it the process cannot serve."""
    temporal: Literal['up', 'down'] | str
    """The state of Temporal. While it is down, executions are accepted and start later."""


class ReadinessView(Model):
    status: Literal['up', 'down', 'stopping'] | str
    """`up` when requests can be served; `stopping` once the process was told to end."""
    dependencies: DependenciesView
    """The state of each dependency."""
    repairs_runs: Annotated[bool, Field(alias='repairsRuns')]
    """True while workers find runs that Temporal does not know, for example after a restore of an older store, and repair them."""


class ListAuditLogsAnswer(Model):
    data: list[AuditLogView]
    """One page of entries, the newest first."""
    limits: LimitsView
    """The rate limits and the usage of the caller, as they are after this call."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class GetTimelineData(Model):
    data: TimelineView
    """The graph with the state of each block, and one page of the visits."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListVersionsAnswer(Model):
    data: list[VersionSummaryView]
    """One page of versions, the newest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListWorkflowsAnswer(Model):
    data: list[ListedWorkflowView]
    """One page of workflows, the oldest first, and the number of all that match."""
    total_count: Annotated[int, Field(alias='totalCount')]
    """The total number of items on all pages."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListFoldersAnswer(Model):
    data: list[FolderView]
    """One page of folders, in the order of their paths."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListPausedExecutionsAnswer(Model):
    paused_executions: Annotated[
        list[PausedExecutionView], Field(alias='pausedExecutions')
    ]
    """The paused executions of the page, the newest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class UploadAnswerFilesData(Model):
    files: list[AnswerFileView]
    """The files, in the order in which they were sent."""


class ListInboxAnswer(Model):
    data: list[InboxItemView]
    """One page of open pauses: first the pauses that ask you, then the oldest."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListKnowledgeBasesData(Model):
    knowledge_bases: Annotated[list[KnowledgeBaseView], Field(alias='knowledgeBases')]
    """Every knowledge base of the workspace."""
    total_count: Annotated[int, Field(alias='totalCount')]
    """The total number of items on all pages."""


class ListKnowledgeBasesAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: ListKnowledgeBasesData


class CreateKnowledgeBaseData(Model):
    knowledge_base: Annotated[KnowledgeBaseView, Field(alias='knowledgeBase')]
    """The knowledge base that the call is about."""
    message: str
    """The result, in a sentence for people."""


class GetKnowledgeBaseData(Model):
    knowledge_base: Annotated[KnowledgeBaseView, Field(alias='knowledgeBase')]
    """The knowledge base that the call is about."""


class UpdateKnowledgeBaseData(Model):
    knowledge_base: Annotated[KnowledgeBaseView, Field(alias='knowledgeBase')]
    """The knowledge base that the call is about."""
    message: str
    """The result, in a sentence for people."""


class DeleteKnowledgeBaseData(Model):
    message: str
    """The result, in a sentence for people."""


class ListTagsData(Model):
    tags: list[TagView]
    """Every tag, in the order of their definition."""


class ListTagsAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: ListTagsData


class DefineTagsData(Model):
    tags: list[TagView]
    """Every tag, in the order of their definition."""


class ListDocumentsData(Model):
    documents: list[DocumentView]
    """The documents that the call is about, in order."""
    pagination: OffsetPageView
    """The position of the page in the list."""


class ListDocumentsAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: ListDocumentsData


class AddDocumentsData(Model):
    document: DocumentView
    """The document that the call is about."""
    documents: list[DocumentView]
    """The documents that the call is about, in order."""
    duplicates: int
    """The number of documents that the knowledge base already had. The answer shows the existing documents."""
    message: str
    """The result, in a sentence for people."""


class GetDocumentData(Model):
    document: DocumentView
    """The document that the call is about."""


class UpdateDocumentData(Model):
    document: DocumentView
    """The document that the call is about."""
    message: str
    """The result, in a sentence for people."""


class DeleteDocumentData(Model):
    message: str
    """The result, in a sentence for people."""


class RetryDocumentData(Model):
    document: DocumentView
    """The document that the call is about."""
    message: str
    """The result, in a sentence for people."""


class ListChunksData(Model):
    chunks: list[ChunkView]
    """The chunks of the page, in the order of the document."""
    pagination: OffsetPageView
    """The position of the page in the list."""


class ListChunksAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: ListChunksData


class GetChunkData(Model):
    chunk: ChunkView
    """The chunk that the call is about."""


class UpdateChunkData(Model):
    chunk: ChunkView
    """The chunk that the call is about."""
    message: str
    """The result, in a sentence for people."""


class DeleteChunkData(Model):
    message: str
    """The result, in a sentence for people."""


class ListLogsAnswer(Model):
    data: list[LogView]
    """One page of executions, by default the newest first. `cut` is true when a search reached its time limit; `nextCursor` continues it."""
    limits: LimitsView
    """The rate limits and the usage of the caller, as they are after this call."""
    cut: bool
    """True when a search reached its time limit; `nextCursor` continues it."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListMcpServersAnswer(Model):
    data: list[McpServerView]
    """One page of servers, the oldest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListMcpGrantsAnswer(Model):
    data: list[McpGrantView]
    """One page of grants, the oldest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListTablesData(Model):
    tables: list[TableView]
    """Every table of the workspace."""
    total_count: Annotated[int, Field(alias='totalCount')]
    """The total number of items on all pages."""


class ListTablesAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: ListTablesData


class CreateTableData(Model):
    table: TableView
    """The table that the call is about."""
    message: str
    """The result, in a sentence for people."""


class GetTableData(Model):
    table: TableView
    """The table that the call is about."""


class UpdateTableData(Model):
    table: TableView
    """The table that the call is about."""
    message: str
    """The result, in a sentence for people."""


class DeleteTableData(Model):
    message: str
    """The result, in a sentence for people."""


class AddColumnData(Model):
    columns: list[ColumnView]
    """All columns of the table, in their order."""


class ChangeColumnData(Model):
    columns: list[ColumnView]
    """All columns of the table, in their order."""


class DeleteColumnData(Model):
    columns: list[ColumnView]
    """All columns of the table, in their order."""


class ListImportsAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: ImportPageView
    """The imports of the last 30 days, the newest first."""


class GetImportData(Model):
    import_: Annotated[ImportJobView, Field(alias='import')]
    """The import that the call is about."""


class CancelImportData(Model):
    import_: Annotated[ImportJobView, Field(alias='import')]
    """The import that the call is about."""
    message: str
    """The result, in a sentence for people."""


class ListRowsAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: RowPageView
    """One page of the rows that match, and their exact number."""


class UpdateRowsByFilterData(Model):
    message: str
    """The result, in a sentence for people."""
    updated_count: Annotated[int, Field(alias='updatedCount')]
    """The number of changed rows."""
    updated_row_ids: Annotated[list[str], Field(alias='updatedRowIds')]
    """The ids of the rows that were changed."""


class UpdateRowsData(Model):
    message: str
    """The result, in a sentence for people."""
    updated_count: Annotated[int, Field(alias='updatedCount')]
    """The number of changed rows."""
    updated_row_ids: Annotated[list[str], Field(alias='updatedRowIds')]
    """The ids of the rows that were changed."""


class DeleteRowsData(Model):
    message: str
    """The result, in a sentence for people."""
    deleted_count: Annotated[int, Field(alias='deletedCount')]
    """The number of deleted rows."""
    deleted_row_ids: Annotated[list[str], Field(alias='deletedRowIds')]
    """The ids of the rows that were deleted."""
    missing_row_ids: Annotated[list[str], Field(alias='missingRowIds')]
    """The requested ids that no row has."""


class QueryRowsAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: RowPageView
    """One page of the rows that match, and their exact number."""


class UpsertRowData(Model):
    row: RowView
    """The row that the call is about."""
    operation: str
    """`insert` when the row is new, `update` when it already existed."""
    message: str
    """The result, in a sentence for people."""


class GetRowData(Model):
    row: RowView
    """The row that the call is about."""


class UpdateRowData(Model):
    row: RowView
    """The row that the call is about."""
    message: str
    """The result, in a sentence for people."""


class DeleteRowData(Model):
    message: str
    """The result, in a sentence for people."""
    deleted_count: Annotated[int, Field(alias='deletedCount')]
    """The number of deleted rows."""


class ListWorkspacesAnswer(Model):
    data: list[WorkspaceView]
    """The workspaces that the key reaches."""


class ListMembersAnswer(Model):
    data: list[MemberView]
    """The members of the workspace with their roles."""


class ListInvitationsAnswer(Model):
    data: list[InvitationView]
    """The newest 200 invitations, the open invitations first."""


class ListWorkspaceKeysAnswer(Model):
    data: list[KeyView]
    """One page of keys, the newest first, without their values."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListPersonalKeysAnswer(Model):
    data: list[KeyView]
    """One page of your personal keys, the newest first, without their values."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListSavedViewsAnswer(Model):
    data: list[SavedViewView]
    """Your saved views, by list and name."""


class ListSecretsAnswer(Model):
    data: list[SecretView]
    """The names of the secrets; a value is never shown."""


class ListSessionsAnswer(Model):
    data: list[SessionView]
    """Your live sessions, the last used first; 200 at most."""


class ListPasskeysAnswer(Model):
    data: list[PasskeyView]
    """Your passkeys, the oldest first."""


class ListIdentitiesAnswer(Model):
    data: list[IdentityView]
    """Your identities, the oldest first."""


class GetUsageData(Model):
    data: list[UsageGroupView]
    """The groups. Days come in their order, other groups by their cost."""
    total: UsageTotalView
    """The total of all groups."""


class ListMemberCapsAnswer(Model):
    data: list[MemberCapView]
    """The caps of all members with a cap."""


TraceSpanView.model_rebuild()
