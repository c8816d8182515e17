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
    """The id of the workspace that it belongs to."""
    actor_kind: Annotated[str, Field(alias='actorKind')]
    """`user`, `key`, `link`, `anyone` without a key, `operator`, or `system`."""
    actor_id: Annotated[str | None, Field(alias='actorId')]
    """The id of the user or of the key that acted; null when nobody is known."""
    actor_name: Annotated[str | None, Field(alias='actorName')]
    """The name of the user or of the key, as it is now."""
    actor_email: Annotated[str | None, Field(alias='actorEmail')]
    """The mail address of the user that acted; null for a key and when nobody is known."""
    key_id: Annotated[str | None, Field(alias='keyId')]
    """The key of the request."""
    request_id: Annotated[str | None, Field(alias='requestId')]
    """The id of the request, as in the header X-Request-Id; null when no request caused it."""
    ip_address: Annotated[str | None, Field(alias='ipAddress')]
    """Where the request came from."""
    action: str
    """What was done, as `workflow.deployed`."""
    resource_type: Annotated[str, Field(alias='resourceType')]
    """The kind of thing that it was done to, as `workflow` or `api_key`."""
    resource_id: Annotated[str, Field(alias='resourceId')]
    """The id of what was changed; of a secret, its name."""
    resource_name: Annotated[str | None, Field(alias='resourceName')]
    """The name of what was changed, as it was then; null when it has none."""
    description: str
    """The action and what it was done to, in words."""
    metadata: dict[str, Any]
    """What changed: of an update `from` and `to` of each member. Values of secrets are never here."""
    seq: int
    """The place in the chain of the workspace."""
    hash: str
    """SHA-256 of the hash before and of this entry."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it happened, in ISO 8601 and UTC."""


class BucketView(Model):
    requests_per_minute: Annotated[int, Field(alias='requestsPerMinute')]
    """How many tokens the bucket gains in a minute."""
    max_burst: Annotated[int, Field(alias='maxBurst')]
    """How many tokens the bucket holds at most, so how many calls may come at once."""
    remaining: int
    """How many tokens are left now; a call takes one."""
    reset_at: Annotated[str, Field(alias='resetAt')]
    """When the bucket is full again if nobody calls, in ISO 8601 and UTC."""


class ExecutionRateView(Model):
    sync: BucketView
    """The bucket of executions that are waited for."""
    async_: Annotated[BucketView, Field(alias='async')]
    """The bucket of executions that are asked for as jobs."""


class UsageView(Model):
    current_period_cost: Annotated[float, Field(alias='currentPeriodCost')]
    """What the workspace has cost in this calendar month, in the currency of the prices that the operator sets."""
    limit: float
    """What it may cost in a month; executions above it are refused with 402."""
    plan: str
    """The name of the plan of the workspace."""
    is_exceeded: Annotated[bool, Field(alias='isExceeded')]
    """True when the month has cost as much as the limit or more."""


class LimitsView(Model):
    workflow_execution_rate_limit: Annotated[
        ExecutionRateView, Field(alias='workflowExecutionRateLimit')
    ]
    """The two buckets of executions."""
    usage: UsageView
    """What the month has cost, and what it may cost."""


class DetailView(Model):
    block_id: Annotated[str | None, Field(alias='blockId')] = None
    """Of a fault in a definition: the id of its block."""
    row_id: Annotated[str | None, Field(alias='rowId')] = None
    """Of a row that a change of its column does not fit: its id."""
    position: float | None = None
    """The position of that row."""
    path: str
    """Dotted path of the field; empty when the fault is not in one field."""
    message: str
    """What the field must be, in words."""
    code: str
    """The rule that it breaks, as a stable word for programs."""


class ErrorView(Model):
    error: str
    """What is wrong and what to do, in a sentence for people."""
    code: str
    """A stable upper-case word for programs."""
    request_id: Annotated[str, Field(alias='requestId')]
    """The id of the request, as in the header X-Request-Id."""
    details: list[DetailView] | None = None
    """Every fault of the request. Present on every 400."""


class FailureView(Model):
    code: str
    """A stable upper-case word for programs, as on the page Codes."""
    message: str
    """What went wrong, in a sentence for people."""
    block_id: Annotated[str | None, Field(alias='blockId')] = None
    """The id of the block that is to blame; absent when the run failed as a whole."""
    block_name: Annotated[str | None, Field(alias='blockName')] = None
    """The name of that block."""
    details: Any | None = None
    """More about the failure, whose form depends on the code; absent when there is nothing more."""


class VisitView(Model):
    path: str
    """Where the block ran: its id, and the passes around it, as `call@each[2]`."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the block in the definition."""
    name: str
    """The name of the block; its id when it has none."""
    type: str
    """The type of the block, as `http`."""
    status: str
    """How the visit ended, as `completed`, `failed`, `skipped` or `cancelled`; `running` or `paused` while it lasts."""
    started_at: Annotated[str, Field(alias='startedAt')]
    """When the block began, in ISO 8601 and UTC."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """When the block ended, in ISO 8601 and UTC; null while it runs."""
    duration: int | None
    """Milliseconds from start to end; null while it runs."""
    attempts: int
    """How often the effect was tried; 0 for a block that reaches nothing outside."""
    port: str | None
    """The port by which the block was left; null while it runs and when it was left by none."""
    failure: FailureView | None
    """Why the block failed; null when it did not."""
    output: Any
    """A large output, when those before it on the page come to 2 MB, is a reference: `$payload` is its id, `bytes` its size."""
    logs: list[str] | None
    """The lines that a function wrote to its console; null when there are none."""
    cost: float | None
    """What its calls and models cost by the prices of the operator; null when nothing was booked."""


class TraceSpanView(Model):
    id: str
    """The path of the visit, which is unique in the execution."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the block in the definition."""
    name: str
    """The name of the block; its id when it has none."""
    type: str
    """The type of the block, as `http`."""
    status: Literal['success', 'error', 'running', 'cancelled'] | str
    """`success` for a block that completed or was skipped, `error` for one that failed."""
    start_time: Annotated[str, Field(alias='startTime')]
    """When the block began, in ISO 8601 and UTC."""
    end_time: Annotated[str | None, Field(alias='endTime')]
    """When the block ended, in ISO 8601 and UTC; null while it runs."""
    duration: int | None
    """Milliseconds from start to end; null while it runs."""
    children: list[TraceSpanView]
    """What ran inside of a loop or parallel, in order; empty for every other block."""


class ResumeLinksView(Model):
    api_url: Annotated[str, Field(alias='apiUrl')]
    """Where a program posts the answer, with a key."""
    ui_url: Annotated[str | None, Field(alias='uiUrl')]
    """The page where the caller, and whoever has this link, can answer; null for a caller who may not."""
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution that waits."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""


class DisplayFieldView(Model):
    label: str
    """What stands before the value."""
    value: Any
    """What is shown; null when there was nothing."""
    format: str | None = None
    """How the page shows the value, as the author of the block chose; absent for plain text."""


class DisplayView(Model):
    title: str
    """The question in a line."""
    message: str
    """What a person has to know to answer; empty when nothing was written."""
    fields: list[DisplayFieldView]
    """Facts that are shown in a list beside the message."""


class OptionView(Model):
    label: str
    """What a person reads."""
    value: str
    """What the answer holds when this option is chosen."""


class FormFieldView(Model):
    name: str
    """The name under which the answer holds the value."""
    type: str
    """The type of the field, as `string`, `boolean` or `select`; it decides which values are taken."""
    label: str
    """What a person reads above the field."""
    description: str | None = None
    """A hint below the label; absent when there is none."""
    placeholder: str | None = None
    """What stands in the empty field; absent when there is nothing."""
    required: bool
    """True when an answer without this field is refused."""
    options: list[OptionView] | None = None
    """The choices of a select or multiselect; absent for other types."""
    default: Any | None = None
    """The value that the field has at first, and that a missing answer gets; absent when there is none."""
    min: float | None = None
    """The least number, the least length of a text or the fewest choices; absent when there is no bound."""
    max: float | None = None
    """The greatest number, the greatest length of a text or the most choices; absent when there is no bound."""
    pattern: str | None = None
    """Always absent: patterns are not supported, because a regular expression can stop the engine."""


class PauseResponseView(Model):
    display_data: Annotated[DisplayView, Field(alias='displayData')]
    """What a person is shown."""
    form_fields: Annotated[list[FormFieldView], Field(alias='formFields')]
    """What a person is asked, in order."""


class ResumeEntryView(Model):
    id: str
    """The id of the answer."""
    paused_execution_id: Annotated[str, Field(alias='pausedExecutionId')]
    """The id under which the execution is listed as paused."""
    parent_execution_id: Annotated[str, Field(alias='parentExecutionId')]
    """The id of the execution that was answered."""
    new_execution_id: Annotated[str, Field(alias='newExecutionId')]
    """The id that this answer has as an execution of its own; every path takes it too."""
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause that was answered."""
    resume_input: Annotated[Any, Field(alias='resumeInput')]
    """The values by the names of the fields."""
    status: Literal['pending', 'claimed', 'completed', 'failed'] | str
    """`pending` until the run takes the answer, `completed` once it has, `failed` when the answer came too late."""
    queued_at: Annotated[str, Field(alias='queuedAt')]
    """When the answer was committed, in ISO 8601 and UTC."""
    claimed_at: Annotated[str | None, Field(alias='claimedAt')]
    """When the run took the answer; null until then."""
    completed_at: Annotated[str | None, Field(alias='completedAt')]
    """When the run had gone on with the answer; null until then."""
    failure_reason: Annotated[str | None, Field(alias='failureReason')]
    """Why the answer did not count, in a sentence; null when it did."""
    actor: dict[str, Any]
    """Who answered."""


class VoteView(Model):
    person: str
    """The id of the person, or of the key, that voted."""
    approved: bool
    """True for a yes."""
    at: str
    """When the vote was committed, in ISO 8601 and UTC."""


class ApprovalsView(Model):
    required: int
    """So many must say yes."""
    veto: bool
    """One no is enough."""
    allow_starter: Annotated[bool, Field(alias='allowStarter')]
    """True when whoever started the execution may vote too."""
    require_sign_in: Annotated[bool | None, Field(alias='requireSignIn')] = None
    """True when links are not taken: whoever answers has signed in, or uses a personal key."""
    assignees: list[str]
    """The people who may answer, by user id or mail address; empty when roles decide alone."""
    roles: list[str]
    """The roles whose members may answer; empty when assignees decide alone."""
    decision: str
    """The field that says yes or no."""
    votes: list[VoteView] | None = None
    """So far; not in lists."""


class ParallelScopeView(Model):
    parallel_id: Annotated[str, Field(alias='parallelId')]
    """The id of the parallel block."""
    branch_index: Annotated[int, Field(alias='branchIndex')]
    """Which branch it is, from 0."""
    branch_total: Annotated[int, Field(alias='branchTotal')]
    """How many branches there are."""


class LoopScopeView(Model):
    loop_id: Annotated[str, Field(alias='loopId')]
    """The id of the loop block."""
    iteration: int
    """Which pass it is, from 0."""


class PausePointView(Model):
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause, made anew for each visit of a block."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the human block that asks."""
    registered_at: Annotated[str, Field(alias='registeredAt')]
    """When the pause was opened, in ISO 8601 and UTC."""
    resume_status: Annotated[
        Literal['paused', 'queued', 'resuming', 'resumed', 'expired', 'cancelled', 'failed'] | str,
        Field(alias='resumeStatus'),
    ]
    """`paused` while an answer is awaited; `resumed`, `expired`, `cancelled` and `failed` are ends."""
    snapshot_ready: Annotated[bool, Field(alias='snapshotReady')]
    """Always true: a pause that can be seen can be answered."""
    resume_links: Annotated[ResumeLinksView, Field(alias='resumeLinks')]
    """Where the pause is answered."""
    response: PauseResponseView | None
    """What a person is shown and asked."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """When the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end."""
    queue_position: Annotated[int | None, Field(alias='queuePosition')] = None
    """Only when one execution is read."""
    latest_resume_entry: Annotated[
        ResumeEntryView | None, Field(alias='latestResumeEntry')
    ] = None
    """Only when one execution is read."""
    approvals: ApprovalsView | None = None
    """Where only certain people may answer."""
    parallel_scope: Annotated[
        ParallelScopeView | None, Field(alias='parallelScope')
    ] = None
    """The branch of a parallel that asks; absent outside of one."""
    loop_scope: Annotated[LoopScopeView | None, Field(alias='loopScope')] = None
    """The pass of a loop that asks; absent outside of one."""


class PausedView(Model):
    paused_execution_id: Annotated[str, Field(alias='pausedExecutionId')]
    """The id under which the execution is listed as paused."""
    pause_points: Annotated[list[PausePointView], Field(alias='pausePoints')]
    """The open pauses."""


class RunMetadataView(Model):
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution; `completed`, `failed` and `cancelled` are ends."""
    duration: int | None
    """Milliseconds from start to end, or to now."""
    start_time: Annotated[str | None, Field(alias='startTime')]
    """When it began, in ISO 8601 and UTC; null while it is queued."""
    end_time: Annotated[str | None, Field(alias='endTime')]
    """When it ended, in ISO 8601 and UTC; null until then."""


class SyncResultView(Model):
    logs: list[VisitView] | None = None
    """When asked for: the block log, a hundred at most."""
    trace_spans: Annotated[list[TraceSpanView] | None, Field(alias='traceSpans')] = None
    """When asked for: the same blocks as a tree."""
    total_duration: Annotated[int | None, Field(alias='totalDuration')] = None
    """When asked for: milliseconds from start to end, or to now."""
    success: bool
    """False when the run failed or was cancelled, although the call is answered with 200; true for a paused run."""
    output: Any
    """What the workflow answers; an empty object until the run has ended."""
    limits: LimitsView
    """The rate limits and the usage of whoever called, as they are after this call."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the same execution as a job, which begins with `job_`."""
    status: Literal['completed', 'failed', 'paused', 'cancelled'] | str
    """How the run stands; `paused` when it waits for a person."""
    error: str | None
    """Why the run failed, in a sentence; null when it did not."""
    failure: FailureView | None = None
    """Why the run failed, with its code and its block; absent when it did not."""
    paused: PausedView | None = None
    """Where the run waits; absent when it does not."""
    metadata: RunMetadataView
    """When the run began and ended."""
    warnings: list[str] | None = None
    """Inputs that the workflow does not declare, each in a sentence; absent when there are none."""


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
    """Always true, which tells this answer from that of a run."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the same execution as a job, which begins with `job_`."""
    task_id: Annotated[str, Field(alias='taskId')]
    """Equals jobId."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued'] | str
    """Always `queued`: ask the job for how it stands."""
    status_url: Annotated[str, Field(alias='statusUrl')]
    """The absolute URL of the job, to be asked with the same key."""
    links: JobLinksView
    """The same address in the form that some clients read."""
    message: str
    """What was accepted, in a sentence for people."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the execution was accepted, in ISO 8601 and UTC."""
    limits: LimitsView
    """The rate limits and the usage of whoever called, as they are after this call."""
    warnings: list[str] | None = None
    """Inputs that the workflow does not declare, each in a sentence; absent when there are none."""


class JobMetadataView(Model):
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the execution was accepted, in ISO 8601 and UTC."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """When it began, in ISO 8601 and UTC; null while it is queued."""
    completed_at: Annotated[str | None, Field(alias='completedAt')]
    """When it ended, in ISO 8601 and UTC; null until then."""
    duration: int | None
    """Milliseconds from start to end; null until it has ended."""


class JobView(Model):
    success: bool
    """Always true: the job was found. How the run stands is in `status`."""
    task_id: Annotated[str, Field(alias='taskId')]
    """Equals jobId."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the same execution as a job, which begins with `job_`."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued', 'processing', 'completed', 'failed'] | str
    """`processing` for a run that works or waits for a person; `failed` for one that was cancelled, too."""
    output: Any | None = None
    """Only when completed: the output of the workflow itself."""
    error: str | None = None
    """Why the run failed, in a sentence; absent when it did not."""
    failure: FailureView | None = None
    """Why the run failed, with its code and its block; absent when it did not."""
    paused: PausedView | None = None
    """Where the run waits for people; absent when it does not."""
    metadata: JobMetadataView
    """When the execution was accepted, began and ended."""


class ExecutionView(Model):
    logs: list[VisitView] | None = None
    """When asked for: the block log, a hundred at most."""
    trace_spans: Annotated[list[TraceSpanView] | None, Field(alias='traceSpans')] = None
    """When asked for: the same blocks as a tree."""
    total_duration: Annotated[int | None, Field(alias='totalDuration')] = None
    """When asked for: milliseconds from start to end, or to now."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the same execution as a job, which begins with `job_`."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The name of the workflow when the execution was accepted."""
    version: int
    """The version of the workflow that the execution is pinned to."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution; `completed`, `failed` and `cancelled` are ends."""
    mode: Literal['sync', 'async'] | str
    """Whether the caller waited (`sync`) or asked for a job (`async`)."""
    trigger: str
    """What started it: `api`, or `workflow` for a child of another execution."""
    actor: dict[str, Any]
    """Who started it."""
    inputs: dict[str, Any]
    """The inputs, with the defaults of the start block."""
    output: Any
    """What the workflow answers; null until the run has completed."""
    error: str | None
    """Why the run failed, in a sentence; null when it did not."""
    failure: FailureView | None
    """Why the run failed, with its code and its block; null when it did not."""
    paused: PausedView | None
    """Where the run waits for people; null when it does not."""
    cancel_requested: Annotated[bool, Field(alias='cancelRequested')]
    """A cancel was asked for."""
    blocks: list[VisitView]
    """One page of the block log, in the order of the visits."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""
    temporal_url: Annotated[str | None, Field(alias='temporalUrl')]
    """The run in the Temporal UI."""
    metadata: JobMetadataView
    """When the execution was accepted, began and ended."""


class StoredValueView(Model):
    data: Any
    """The value, as the block gave it."""


class CancelView(Model):
    success: bool
    """Always true: the request to end is committed."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution as it was when it was asked to end."""
    message: str
    """What happens now, in a sentence for people."""


class GraphBlockView(Model):
    id: str
    """The id of the block in the definition."""
    name: str
    """The name of the block; its id when it has none."""
    type: str
    """The type of the block, as `http`."""
    container: str | None
    """The loop or parallel whose body it is in."""
    status: str
    """That of its last visit that was not skipped, `paused` or `running` while one is open, or `not visited`."""
    visits: int
    """Visits, skipped ones too."""
    states: dict[str, Any]
    """How many visits have each status, as `{ "completed": 18, "failed": 2 }`."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """When its first visit began, in ISO 8601 and UTC; null when there was none."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """When its last visit ended, in ISO 8601 and UTC; null while one is open."""


class GraphEdgeView(Model):
    from_: Annotated[str, Field(alias='from')]
    """The id of a block, or `start`."""
    to: str
    """The id of the block that the edge leads to."""
    port: str
    """The port of the block that it leaves, as `out` or `error`."""
    taken: bool
    """Whether the run went this way."""


class GraphView(Model):
    blocks: list[GraphBlockView]
    """Every block of the definition that ran."""
    edges: list[GraphEdgeView]
    """Every edge of it."""


class LogBlockView(Model):
    path: str
    """Where the block ran: its id, and the passes around it, as `call@each[2]`."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the block in the definition."""
    name: str
    """The name of the block; its id when it has none."""
    type: str
    """The type of the block, as `http`."""
    status: str
    """How the visit ended, as `completed`, `failed`, `skipped` or `cancelled`; `running` or `paused` while it lasts."""
    started_at: Annotated[str, Field(alias='startedAt')]
    """When the block began, in ISO 8601 and UTC."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """When the block ended, in ISO 8601 and UTC; null while it runs."""
    duration: int | None
    """Milliseconds from start to end; null while it runs."""
    attempts: int
    """How often the effect was tried; 0 for a block that reaches nothing outside."""
    port: str | None
    """The port by which the block was left; null while it runs and when it was left by none."""
    failure: FailureView | None
    """Why the block failed; null when it did not."""


class OpenPauseView(Model):
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the human block that asks."""
    title: str
    """The question in a line."""
    registered_at: Annotated[str, Field(alias='registeredAt')]
    """When the pause was opened, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """When the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end."""
    api_url: Annotated[str, Field(alias='apiUrl')]
    """Where a program posts the answer, with a key."""
    ui_url: Annotated[str | None, Field(alias='uiUrl')]
    """The page where it is answered; null for a caller who may not answer."""


class TimelineView(Model):
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    parent_execution_id: Annotated[str | None, Field(alias='parentExecutionId')]
    """The execution that began it; null when a caller did."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The name of the workflow when the execution was accepted."""
    version: int
    """The version of the workflow that the execution is pinned to."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution; `completed`, `failed` and `cancelled` are ends."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the execution was accepted, in ISO 8601 and UTC."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """When it began, in ISO 8601 and UTC; null while it is queued."""
    completed_at: Annotated[str | None, Field(alias='completedAt')]
    """When it ended, in ISO 8601 and UTC; null until then."""
    failure: FailureView | None
    """Why the run failed; null when it did not."""
    graph: GraphView
    """The blocks and edges of the version that ran, with what happened at each."""
    counts_all: Annotated[bool, Field(alias='countsAll')]
    """False when the run has more visits than the 20,000 that are counted for the graph."""
    visits: list[LogBlockView]
    """One page of the visits, in their order, without outputs."""
    pause_points: Annotated[list[OpenPauseView], Field(alias='pausePoints')]
    """The pauses that are open, a hundred at most."""
    temporal_url: Annotated[str | None, Field(alias='temporalUrl')]
    """The run in the UI of Temporal, when there is one."""
    page_url: Annotated[str, Field(alias='pageUrl')]
    """The same as a page for a browser. Whoever has this link may see it, for a day."""


class DeploymentView(Model):
    id: str
    """The workflow."""
    is_deployed: Annotated[bool, Field(alias='isDeployed')]
    """True when a version is live, so that the workflow can be executed."""
    deployed_at: Annotated[str | None, Field(alias='deployedAt')]
    """When a version became live last, in ISO 8601 and UTC; null when none is."""
    version: int | None
    """The number of the live version; null when none is."""
    warnings: list[str]
    """What may not be meant, a sentence each; a deploy with warnings is done all the same."""


class DeployBody(Model):
    name: str | None = None
    """A name for the version; left out, it has none."""
    description: str | None = None
    """Notes on the version; left out, there are none."""
    strict: bool | None = None
    """Refuses a definition that names a secret, table, knowledge base or workflow which there is not."""


class WaitingView(Model):
    version: int
    """The version that the executions are pinned to."""
    count: int
    """How many executions of it wait for people."""
    execution_ids: Annotated[list[str], Field(alias='executionIds')]
    """The oldest, at most ten."""


class PreviewView(Model):
    faults: list[DetailView]
    """Why the draft would be refused."""
    warnings: list[str]
    """What may not be meant, a sentence each."""
    waiting: list[WaitingView]
    """Executions that wait for people, by their version."""


class RollbackBody(Model):
    version: int | None = None
    """Left out: the version that was live before."""


class VersionSummaryView(Model):
    id: str
    """The id of the workflow; the number tells its versions apart."""
    version: int
    """The number of the version, from 1."""
    name: str
    """The name that its deploy gave it; empty when it gave none."""
    description: str
    """The notes of its deploy; empty when there were none."""
    is_active: Annotated[bool, Field(alias='isActive')]
    """True for the one version that is live."""
    warnings: list[str]
    """What its deploy warned of, a sentence each."""
    created_by: Annotated[str, Field(alias='createdBy')]
    """The id of the user or of the key that deployed it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was deployed, in ISO 8601 and UTC."""


class VersionView(Model):
    id: str
    """The id of the workflow; the number tells its versions apart."""
    version: int
    """The number of the version, from 1."""
    name: str
    """The name that its deploy gave it; empty when it gave none."""
    description: str
    """The notes of its deploy; empty when there were none."""
    is_active: Annotated[bool, Field(alias='isActive')]
    """True for the one version that is live."""
    warnings: list[str]
    """What its deploy warned of, a sentence each."""
    created_by: Annotated[str, Field(alias='createdBy')]
    """The id of the user or of the key that deployed it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was deployed, in ISO 8601 and UTC."""
    definition: dict[str, Any]
    """The definition, as it was when it was deployed; it never changes."""


class LastExecutionView(Model):
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of that execution."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was accepted, in ISO 8601 and UTC."""


class RecentExecutionView(Model):
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of that execution."""
    duration: int | None
    """Milliseconds from start to end; null while it runs."""


class ListedWorkflowView(Model):
    id: str
    """The id of the workflow, which begins with `wf_`."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace that it belongs to."""
    name: str
    """The name, which is unique in the workspace."""
    description: str
    """What it is for; empty when nobody has said."""
    folder: str
    """A path, as `sales/eu`; empty at the top."""
    is_deployed: Annotated[bool, Field(alias='isDeployed')]
    """True when a version is live, so that it can be executed."""
    deployed_at: Annotated[str | None, Field(alias='deployedAt')]
    """When a version became live last, in ISO 8601 and UTC; null when none is."""
    version: int | None
    """The live version."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was created, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When it was changed last, in ISO 8601 and UTC."""
    last_execution: Annotated[LastExecutionView | None, Field(alias='lastExecution')]
    """Null when it was never executed."""
    recent_executions: Annotated[
        list[RecentExecutionView], Field(alias='recentExecutions')
    ]
    """The last twelve executions at most, the oldest first."""


class FolderView(Model):
    path: str
    """Empty at the top."""
    workflow_count: Annotated[int, Field(alias='workflowCount')]
    """Workflows that lie in it, without those below."""
    deployed_count: Annotated[int, Field(alias='deployedCount')]
    """How many of these are deployed."""


class WorkflowView(Model):
    id: str
    """The id of the workflow, which begins with `wf_`."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace that it belongs to."""
    name: str
    """The name, which is unique in the workspace."""
    description: str
    """What it is for; empty when nobody has said."""
    folder: str
    """A path, as `sales/eu`; empty at the top."""
    is_deployed: Annotated[bool, Field(alias='isDeployed')]
    """True when a version is live, so that it can be executed."""
    deployed_at: Annotated[str | None, Field(alias='deployedAt')]
    """When a version became live last, in ISO 8601 and UTC; null when none is."""
    version: int | None
    """The live version."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was created, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When it was changed last, in ISO 8601 and UTC."""
    definition: dict[str, Any]
    """The draft; what runs is the live version."""


class CreateWorkflowBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str
    """The name, which no other workflow of the workspace may have."""
    description: str | None = None
    """What it is for; empty when left out."""
    folder: str | None = None
    """A path, as `sales/eu`; empty at the top."""
    definition: dict[str, Any]
    """The definition; /api/v1/definition-schema holds its JSON Schema."""


class ValidationView(Model):
    valid: bool
    """True when there are no faults, so that a deploy would be done."""
    faults: list[DetailView]
    """Every fault, with its block and the path of its field; empty when there are none."""
    warnings: list[str]
    """What may not be meant, a sentence each."""


class ValidateBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """Taken and not looked at."""
    description: str | None = None
    """Taken and not looked at."""
    folder: str | None = None
    """Taken and not looked at."""
    definition: dict[str, Any]
    """The definition; /api/v1/definition-schema holds its JSON Schema."""


class ImportSummaryView(Model):
    kept: int
    """How many blocks do the same as before."""
    changed: int
    """How many do it in another way."""
    refused: int
    """How many have to be made by hand."""


class ImportedBlockView(Model):
    name: str
    """The name of the block in the file."""
    type: str
    """The type that it has in the other product."""
    outcome: Literal['kept', 'changed', 'refused'] | str
    """`kept` does the same as before, `changed` does it in another way, `refused` is a placeholder that refuses a deploy."""
    becomes: str | None
    """The id of the block that it became, or `start`; null when there is none."""
    note: str
    """What is different, or what to do instead; empty when there is nothing to say."""


class ImportNeedView(Model):
    kind: Literal['secret', 'table', 'knowledgeBase', 'workflow', 'mcpServer', 'trigger'] | str
    """The kind of thing."""
    name: str
    """The name under which it is looked for."""
    note: str
    """What it is for, in a sentence."""


class ImportReportView(Model):
    summary: ImportSummaryView
    """How many blocks there are of each outcome."""
    blocks: list[ImportedBlockView]
    """Every block of the file, each once."""
    needs: list[ImportNeedView]
    """What the file names and does not hold, and must be made."""


class ForeignImportView(Model):
    workflow: WorkflowView | None
    """The workflow that was created; null in a dry run."""
    definition: dict[str, Any]
    """The definition that the file became."""
    report: ImportReportView
    """What became of each block, and what must be made."""


class ImportBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    version: str | None = None
    """The version of the form of exports, `1`."""
    name: str | None = None
    """The name; needed without `from`. A file of n8n has it too, and one of Sim in `workflow`."""
    description: str | None = None
    """What it is for; empty when left out."""
    folder: str | None = None
    """A path, as `sales/eu`; empty at the top."""
    definition: dict[str, Any] | None = None
    """The definition; needed without `from`."""
    nodes: list[dict[str, Any]] | None = None
    """Of a file of n8n: its nodes."""
    connections: dict[str, Any] | None = None
    """Of a file of n8n: its connections, by the name of the node where they begin."""
    workflow: dict[str, Any] | None = None
    """Of a file of Sim: its name and description."""
    state: dict[str, Any] | None = None
    """Of a file of Sim: its blocks, edges and variables."""


class UpdateWorkflowBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """The new name; left out, it stays."""
    description: str | None = None
    """The new description; left out, it stays."""
    folder: str | None = None
    """A path, as `sales/eu`; empty at the top."""
    definition: dict[str, Any] | None = None
    """The new draft as a whole; left out, it stays. What is live is not touched."""


class DeletedView(Model):
    id: str
    """The id of what was deleted; of a secret, its name."""
    deleted: bool
    """Always true."""


class ExportView(Model):
    version: str
    """The version of the form of exports, `1`."""
    name: str
    """The name of the workflow."""
    description: str
    """What it is for; empty when nobody has said."""
    folder: str
    """A path, as `sales/eu`; empty at the top."""
    definition: dict[str, Any]
    """The draft."""


class WorkflowStatusView(Model):
    is_deployed: Annotated[bool, Field(alias='isDeployed')]
    """True when a version is live, so that it can be executed."""
    deployed_at: Annotated[str | None, Field(alias='deployedAt')]
    """When a version became live last, in ISO 8601 and UTC; null when none is."""
    needs_redeployment: Annotated[bool, Field(alias='needsRedeployment')]
    """The draft differs from the live version."""


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
    """How many pauses the execution has had so far."""
    resumed_count: Annotated[int, Field(alias='resumedCount')]
    """How many of them were answered."""
    paused_at: Annotated[str, Field(alias='pausedAt')]
    """When it paused first, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When a pause was opened, answered or closed last, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """When the first of its open pauses ends without an answer; null when none does."""
    metadata: dict[str, Any] | None
    """Facts about the execution as a whole; null when there are none."""
    trigger_ids: Annotated[list[str], Field(alias='triggerIds')]
    """The blocks that paused."""
    pause_points: Annotated[list[PausePointView], Field(alias='pausePoints')]
    """In a list, 20 at most: the open ones first."""


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
    """How many pauses the execution has had so far."""
    resumed_count: Annotated[int, Field(alias='resumedCount')]
    """How many of them were answered."""
    paused_at: Annotated[str, Field(alias='pausedAt')]
    """When it paused first, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When a pause was opened, answered or closed last, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """When the first of its open pauses ends without an answer; null when none does."""
    metadata: dict[str, Any] | None
    """Facts about the execution as a whole; null when there are none."""
    trigger_ids: Annotated[list[str], Field(alias='triggerIds')]
    """The blocks that paused."""
    pause_points: Annotated[list[PausePointView], Field(alias='pausePoints')]
    """In a list, 20 at most: the open ones first."""
    execution_snapshot: Annotated[SnapshotView, Field(alias='executionSnapshot')]
    """The state of the run at its pauses."""
    queue: list[ResumeEntryView]
    """The answers to these pauses, the oldest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page of pauses; null on the last page."""


class AnswerFileView(Model):
    id: str
    """The id of the file, which the answer gives as the value of its field."""
    name: str
    """The name that the file had where it came from."""
    size: int
    """Bytes of the file."""
    type: str
    """As its sender said."""
    url: str
    """Where it can be downloaded with a key."""


class InboxItemView(Model):
    context_id: Annotated[str, Field(alias='contextId')]
    """The id of the pause, made anew for each visit of a block."""
    block_id: Annotated[str, Field(alias='blockId')]
    """The id of the human block that asks."""
    registered_at: Annotated[str, Field(alias='registeredAt')]
    """When the pause was opened, in ISO 8601 and UTC."""
    resume_status: Annotated[
        Literal['paused', 'queued', 'resuming', 'resumed', 'expired', 'cancelled', 'failed'] | str,
        Field(alias='resumeStatus'),
    ]
    """`paused` while an answer is awaited; `resumed`, `expired`, `cancelled` and `failed` are ends."""
    snapshot_ready: Annotated[bool, Field(alias='snapshotReady')]
    """Always true: a pause that can be seen can be answered."""
    resume_links: Annotated[ResumeLinksView, Field(alias='resumeLinks')]
    """Where the pause is answered."""
    response: PauseResponseView | None
    """What a person is shown and asked."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """When the pause ends without an answer, in ISO 8601 and UTC; null when it waits without end."""
    queue_position: Annotated[int | None, Field(alias='queuePosition')] = None
    """Only when one execution is read."""
    latest_resume_entry: Annotated[
        ResumeEntryView | None, Field(alias='latestResumeEntry')
    ] = None
    """Only when one execution is read."""
    approvals: ApprovalsView | None = None
    """Where only certain people may answer."""
    parallel_scope: Annotated[
        ParallelScopeView | None, Field(alias='parallelScope')
    ] = None
    """The branch of a parallel that asks; absent outside of one."""
    loop_scope: Annotated[LoopScopeView | None, Field(alias='loopScope')] = None
    """The pass of a loop that asks; absent outside of one."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The name of the workflow when the execution was accepted."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution that waits."""
    mine: bool
    """Put to whoever asks, and waiting for their word."""


class ChunkingView(Model):
    max_size: Annotated[int, Field(alias='maxSize')]
    """Tokens that a chunk has at most, overlap included."""
    min_size: Annotated[int, Field(alias='minSize')]
    """Characters; a smaller piece joins its neighbour where maxSize lets it."""
    overlap: int
    """Tokens that a chunk repeats from the one before it, in whole sentences; below maxSize."""


class KnowledgeBaseView(Model):
    id: str
    """The id of the knowledge base, which begins with `kb_`."""
    name: str
    """The name, which is unique in the workspace."""
    description: str
    """What it holds; empty when nobody has said."""
    doc_count: Annotated[int, Field(alias='docCount')]
    """How many documents it has, disabled ones too."""
    token_count: Annotated[int, Field(alias='tokenCount')]
    """How many tokens the chunks of its documents have together."""
    embedding_model: Annotated[str, Field(alias='embeddingModel')]
    """The model to which the base is bound."""
    embedding_dimension: Annotated[int, Field(alias='embeddingDimension')]
    """How many numbers a vector of that model has."""
    chunking_config: Annotated[ChunkingView, Field(alias='chunkingConfig')]
    """How its documents are cut."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was created, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When it was changed last, in ISO 8601 and UTC."""


class ChunkingBody(Model):
    max_size: Annotated[int | None, Field(alias='maxSize')] = None
    """Tokens that a chunk has at most, overlap included."""
    min_size: Annotated[int | None, Field(alias='minSize')] = None
    """Characters; a smaller piece joins its neighbour where maxSize lets it."""
    overlap: int | None = None
    """Tokens that a chunk repeats from the one before it, in whole sentences; below maxSize."""


class CreateKnowledgeBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str
    """The name, which no other knowledge base of the workspace may have."""
    description: str | None = None
    """What it holds; empty when left out."""
    chunking_config: Annotated[ChunkingBody | None, Field(alias='chunkingConfig')] = (
        None
    )
    """How its documents are cut; each member has a default."""


class UpdateKnowledgeBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """The new name; left out, it stays."""
    description: str | None = None
    """The new description; left out, it stays."""
    chunking_config: Annotated[ChunkingBody | None, Field(alias='chunkingConfig')] = (
        None
    )
    """Documents are indexed anew when it changes; until then their old chunks are found."""
    embedding_model: Annotated[str | None, Field(alias='embeddingModel')] = None
    """The model that the installation is set to now: binds a base of another model to it, and documents are embedded anew."""


class TagView(Model):
    id: str
    """The id of the tag, by which it is renamed."""
    name: str
    """The name by which documents and filters say it."""
    type: Literal['text', 'number', 'date', 'boolean'] | str
    """The type of its values; it decides which operators a filter may use."""


class TagBody(Model):
    id: str | None = None
    """Of a tag that is there, to rename it."""
    name: str
    """The name by which documents and filters say it."""
    type: Literal['text', 'number', 'date', 'boolean'] | str
    """The type of its values, which cannot be changed later."""


class DefineTagsBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    tags: list[TagBody]
    """All tags; one that is left out is taken from all documents."""


class SearchItemView(Model):
    document_id: Annotated[str, Field(alias='documentId')]
    """The id of the document that was found."""
    document_name: Annotated[str, Field(alias='documentName')]
    """The name of its file."""
    source_url: Annotated[str, Field(alias='sourceUrl')]
    """Where the document came from; of an uploaded one, where its content can be downloaded."""
    content: str
    """The text of the chunk."""
    chunk_index: Annotated[int, Field(alias='chunkIndex')]
    """The place of the chunk in the document, from 0."""
    similarity: float
    """From 0 to 1; results come in its order."""
    metadata: dict[str, Any]
    """Holds knowledgeBaseId, chunkId, the offsets start and end in the text of the document, headings, tokenCount, tags, and cosine, the similarity of the vectors alone."""


class SearchView(Model):
    results: list[SearchItemView]
    """The chunks that were found, the most similar first."""
    query: str
    """Empty when none was given."""
    knowledge_base_ids: Annotated[list[str], Field(alias='knowledgeBaseIds')]
    """The knowledge bases that were searched."""
    top_k: Annotated[int, Field(alias='topK')]
    """How many results were wanted."""
    total_results: Annotated[int, Field(alias='totalResults')]
    """As many as were found, up to topK."""


class TagFilterBody(Model):
    tag_name: Annotated[str, Field(alias='tagName')]
    """The name of a tag that the knowledge base defines."""
    operator: Literal['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'ends_with', 'gt', 'gte', 'lt', 'lte', 'between'] | str | None = (
        None
    )
    """How the value of a document compares; which ones are allowed depends on the type of the tag."""
    value: Any
    """As the type of the tag has it; a date like 2026-01-31."""
    value_to: Annotated[Any | None, Field(alias='valueTo')] = None
    """The upper end of `between`."""


class SearchKnowledgeBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    knowledge_base_ids: Annotated[list[str], Field(alias='knowledgeBaseIds')]
    """One to twenty ids of knowledge bases."""
    query: str | None = None
    """May be left out where tagFilters are given."""
    top_k: Annotated[int | None, Field(alias='topK')] = None
    """How many results are wanted."""
    tag_filters: Annotated[list[TagFilterBody] | None, Field(alias='tagFilters')] = None
    """All of them must hold. With one knowledge base only."""


class ProgressView(Model):
    chunks_done: Annotated[int, Field(alias='chunksDone')]
    """Chunks that are embedded."""
    chunks_total: Annotated[int | None, Field(alias='chunksTotal')]
    """All chunks; null until the document has been read."""


class DocumentView(Model):
    id: str
    """The id of the document, which begins with `doc_`."""
    knowledge_base_id: Annotated[str, Field(alias='knowledgeBaseId')]
    """The id of its knowledge base."""
    filename: str
    """The name of the file."""
    file_size: Annotated[int, Field(alias='fileSize')]
    """Bytes of what was sent or fetched; 0 until a URL has been fetched."""
    mime_type: Annotated[str, Field(alias='mimeType')]
    """The media type of its content."""
    processing_status: Annotated[
        Literal['pending', 'processing', 'completed', 'failed'] | str,
        Field(alias='processingStatus'),
    ]
    """`pending` until a worker begins; `completed` and `failed` are ends. Only completed documents are found."""
    processing_error: Annotated[str | None, Field(alias='processingError')]
    """Why it failed, in a sentence."""
    processing_error_code: Annotated[str | None, Field(alias='processingErrorCode')]
    """The same as a stable word."""
    progress: ProgressView
    """How much of it is embedded."""
    chunk_count: Annotated[int, Field(alias='chunkCount')]
    """How many chunks it was cut into; 0 until it has been processed."""
    token_count: Annotated[int, Field(alias='tokenCount')]
    """How many tokens they have together; 0 until it has been processed."""
    character_count: Annotated[int, Field(alias='characterCount')]
    """How many characters its text has; 0 until it has been processed."""
    enabled: bool
    """False for a document that searches leave out."""
    tags: dict[str, Any]
    """Values by the names of the tags that the base defines."""
    source_url: Annotated[str, Field(alias='sourceUrl')]
    """Where it came from; of an uploaded one, where its content can be downloaded."""
    processing_started_at: Annotated[str | None, Field(alias='processingStartedAt')]
    """When a worker began, in ISO 8601 and UTC; null until then."""
    processing_completed_at: Annotated[str | None, Field(alias='processingCompletedAt')]
    """When the worker was done, in ISO 8601 and UTC; null until then."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was added, in ISO 8601 and UTC."""


class OffsetPageView(Model):
    total: int
    """How many items match in all."""
    limit: int
    """How many items the page may have."""
    offset: int
    """How many items come before the page."""
    has_more: Annotated[bool, Field(alias='hasMore')]
    """True when items come after the page."""


class UpdateDocumentBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filename: str | None = None
    """The new name; left out, it stays."""
    enabled: bool | None = None
    """A document that is not enabled is never found."""
    tags: dict[str, Any] | None = None
    """Values by the names of the tags that the base defines. Null takes a value away."""


class ChunkView(Model):
    id: str
    """The id of the chunk, which begins with `chk_`."""
    chunk_index: Annotated[int, Field(alias='chunkIndex')]
    """The place of the chunk in the document, from 0."""
    content: str
    """The text of the chunk."""
    start_offset: Annotated[int | None, Field(alias='startOffset')]
    """Where it begins in the text of the document; null once it was edited."""
    end_offset: Annotated[int | None, Field(alias='endOffset')]
    """Where it ends in the text of the document; null once it was edited."""
    headings: list[str]
    """The titles above it, which are embedded with it."""
    token_count: Annotated[int, Field(alias='tokenCount')]
    """How many tokens it has."""
    enabled: bool
    """False for a chunk that searches leave out."""


class UpdateChunkBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    content: str | None = None
    """Is embedded before the call is answered."""
    enabled: bool | None = None
    """A chunk that is not enabled is never found."""


class CostView(Model):
    total: float
    """What was booked for the execution and the calls in it."""


class LogWorkflowView(Model):
    id: str
    """The id of the workflow."""
    name: str
    """Its name as it is now, or as it was when it was deleted."""
    description: str
    """What it is for; empty when nobody has said."""
    folder: str
    """A path, as `sales/eu`; empty at the top."""
    deleted: bool
    """True when the workflow is not there any more."""


class LogView(Model):
    id: str
    """The id of the log, which is that of the execution with `log_` before it."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace that it belongs to."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The name of the workflow; the one that it had, when it was deleted."""
    version: int
    """The number of the version that runs, or ran."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    deployment_version_id: Annotated[str | None, Field(alias='deploymentVersionId')]
    """Null when it was deleted with its workflow."""
    level: Literal['info', 'error'] | str
    """`error` for an execution that failed, `info` for every other."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution; `completed`, `failed` and `cancelled` are ends."""
    trigger: str
    """What started it: `api`, or `workflow` for a child of another execution."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was accepted, by which lists are ordered."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """When it began, in ISO 8601 and UTC; null while it is queued."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """When it ended, in ISO 8601 and UTC; null until then."""
    total_duration_ms: Annotated[int | None, Field(alias='totalDurationMs')]
    """Milliseconds from start to end; null until it has ended."""
    cost: CostView | None
    """Null while nothing is booked."""
    error: str | None
    """Why it failed or was cancelled."""
    workflow: LogWorkflowView | None = None
    """The workflow that ran; only with `details=full`."""
    blocks: list[LogBlockView] | None = None
    """The first hundred, without their outputs."""
    blocks_cut: Annotated[bool | None, Field(alias='blocksCut')] = None
    """There are more blocks; the detail has them all, by pages."""
    final_output: Annotated[Any | None, Field(alias='finalOutput')] = None
    """A large output is a reference: `$payload` is its id, `bytes` its size."""
    trace_spans: Annotated[list[TraceSpanView] | None, Field(alias='traceSpans')] = None
    """The blocks as a tree; only when asked for with `details=full`."""


class LogMetadataView(Model):
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution; `completed`, `failed` and `cancelled` are ends."""
    trigger: str
    """What started it: `api`, or `workflow` for a child of another execution."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """When it began, in ISO 8601 and UTC; null while it is queued."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """When it ended, in ISO 8601 and UTC; null until then."""
    total_duration_ms: Annotated[int | None, Field(alias='totalDurationMs')]
    """Milliseconds from start to end; null until it has ended."""
    cost: CostView | None
    """What was booked for it; null while nothing is."""


class LogStateView(Model):
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_state: Annotated[dict[str, Any] | None, Field(alias='workflowState')]
    """The definition that ran; null when it was deleted with its workflow."""
    execution_metadata: Annotated[LogMetadataView, Field(alias='executionMetadata')]
    """How the execution stands, when it ran and what it cost."""
    limits: LimitsView
    """The rate limits and the usage of whoever called, as they are after this call."""


class ExecutionDataView(Model):
    final_output: Annotated[Any, Field(alias='finalOutput')]
    """What the workflow answered; null until the run has completed."""
    blocks: list[VisitView]
    """One page of the block log, with outputs."""
    trace_spans: Annotated[list[TraceSpanView], Field(alias='traceSpans')]
    """The same blocks as a tree."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page of blocks; null on the last page."""


class LogDetailView(Model):
    id: str
    """The id of the log, which is that of the execution with `log_` before it."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace that it belongs to."""
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    workflow_name: Annotated[str, Field(alias='workflowName')]
    """The name of the workflow; the one that it had, when it was deleted."""
    version: int
    """The number of the version that runs, or ran."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id of the execution, which begins with `exec_`."""
    deployment_version_id: Annotated[str | None, Field(alias='deploymentVersionId')]
    """Null when it was deleted with its workflow."""
    level: Literal['info', 'error'] | str
    """`error` for an execution that failed, `info` for every other."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """The state of the execution; `completed`, `failed` and `cancelled` are ends."""
    trigger: str
    """What started it: `api`, or `workflow` for a child of another execution."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was accepted, by which lists are ordered."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """When it began, in ISO 8601 and UTC; null while it is queued."""
    ended_at: Annotated[str | None, Field(alias='endedAt')]
    """When it ended, in ISO 8601 and UTC; null until then."""
    total_duration_ms: Annotated[int | None, Field(alias='totalDurationMs')]
    """Milliseconds from start to end; null until it has ended."""
    cost: CostView | None
    """Null while nothing is booked."""
    error: str | None
    """Why it failed or was cancelled."""
    workflow: LogWorkflowView | None = None
    """The workflow that ran; only with `details=full`."""
    blocks: list[LogBlockView] | None = None
    """The first hundred, without their outputs."""
    blocks_cut: Annotated[bool | None, Field(alias='blocksCut')] = None
    """There are more blocks; the detail has them all, by pages."""
    final_output: Annotated[Any | None, Field(alias='finalOutput')] = None
    """A large output is a reference: `$payload` is its id, `bytes` its size."""
    trace_spans: Annotated[list[TraceSpanView] | None, Field(alias='traceSpans')] = None
    """The blocks as a tree; only when asked for with `details=full`."""
    execution_data: Annotated[ExecutionDataView, Field(alias='executionData')]
    """The output and the blocks of the execution."""


class ToolChoiceView(Model):
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of the workflow."""
    name: str | None
    """The chosen name of the tool; null: it comes from the workflow."""
    description: str | None
    """The chosen description; null: it comes from the workflow."""
    read_only_hint: Annotated[bool | None, Field(alias='readOnlyHint')]
    """Whether the tool changes nothing; null: nothing is said."""
    destructive_hint: Annotated[bool | None, Field(alias='destructiveHint')]
    """Whether the tool may destroy something; null: nothing is said."""
    idempotent_hint: Annotated[bool | None, Field(alias='idempotentHint')]
    """Whether a repeated call changes nothing more; null: nothing is said."""


class McpServerView(Model):
    id: str
    """The id of the server, which begins with `mcp_`."""
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace that it belongs to."""
    name: str
    """The name, which is unique in the workspace."""
    description: str
    """What agents are told about the server."""
    folder: str | None
    """Every deployed workflow that lies in this folder or below is offered; empty: every one of the workspace; null: none by its folder."""
    tools: list[ToolChoiceView]
    """Workflows that are chosen one by one, and how each is shown."""
    wait_seconds: Annotated[int, Field(alias='waitSeconds')]
    """How long a call waits for a result, in seconds, before it goes on as a task."""
    url: str
    """The address that an agent is given. It needs a key or a token of this workspace."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was created, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When it was changed last, in ISO 8601 and UTC."""


class ToolChoiceBody(Model):
    workflow_id: Annotated[str, Field(alias='workflowId')]
    """The id of a workflow of the workspace."""
    name: str | None = None
    """The name of the tool; left out, it comes from the name of the workflow."""
    description: str | None = None
    """What an agent reads about the tool; left out, it comes from the workflow."""
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
    """What agents are told about the server; empty when left out."""
    folder: str | None = None
    """Every deployed workflow that lies in this folder or below is offered; empty: every one of the workspace; null: none by its folder."""
    tools: list[ToolChoiceBody] | None = None
    """Workflows that are offered wherever they lie, and how tools are shown."""
    wait_seconds: Annotated[int | None, Field(alias='waitSeconds')] = None
    """How long a call waits for a result, in seconds, before it goes on as a task."""


class UpdateMcpServerBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """The new name; left out, it stays."""
    description: str | None = None
    """The new description; left out, it stays."""
    folder: str | None = None
    """Every deployed workflow that lies in this folder or below is offered; empty: every one of the workspace; null: none by its folder."""
    tools: list[ToolChoiceBody] | None = None
    """The new list as a whole; left out, it stays."""
    wait_seconds: Annotated[int | None, Field(alias='waitSeconds')] = None
    """How long a call waits for a result, in seconds, before it goes on as a task."""


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
    """The person who allowed it by a personal key."""
    scopes: list[str]
    """What the client may do: `execute:{serverId}` and `read`."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was allowed, in ISO 8601 and UTC."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """When it ends by itself, in ISO 8601 and UTC."""


class TrailEntryView(Model):
    at: str
    """When it happened, in ISO 8601 and UTC."""
    event: str
    """What happened: `opened`, `told`, `delegated`, `answered`, `answer refused`, or how the pause ended."""
    who: str | None
    """The person, key or address that it was about; null when it was nobody."""
    note: str
    """More about it, as the title, the reason or the decision; empty when there is nothing."""


class DelegateBody(Model):
    to: str
    """The e-mail address or user id of whoever is to answer instead."""
    note: str | None = None
    """A word to whoever is asked instead; it stands in the history."""


class ResumeMetadataView(Model):
    duration: int
    """Milliseconds from start to end, or to now."""
    start_time: Annotated[str, Field(alias='startTime')]
    """When the answer was taken, in ISO 8601 and UTC."""
    end_time: Annotated[str | None, Field(alias='endTime')]
    """When the run had ended or waited again; null until then."""


class ResumeResultView(Model):
    success: bool
    """False when the run failed or was cancelled after the answer; true when it waits again."""
    status: Literal['queued', 'running', 'paused', 'completed', 'failed', 'cancelled'] | str
    """How the run stands after the answer."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id that this answer has as an execution of its own; every path takes it too."""
    output: Any
    """What the workflow answers; an empty object until the run has completed."""
    error: str | None
    """Why the run failed, in a sentence; null when it did not."""
    failure: FailureView | None = None
    """Why the run failed; absent when it did not."""
    paused: PausedView | None = None
    """Where the run waits now; absent when it does not."""
    metadata: ResumeMetadataView
    """When the run went on, and when it stopped."""


class ResumeBody(Model):
    input: dict[str, Any] | None = None
    """The answers, by the names of the form fields."""
    async_: Annotated[bool | None, Field(alias='async')] = None
    """Answer at once with a job."""


class ResumeAcknowledgementView(Model):
    success: bool
    """Always true: the answer is committed."""
    async_: Annotated[bool, Field(alias='async')]
    """Always true, which tells this answer from that of a run."""
    job_id: Annotated[str, Field(alias='jobId')]
    """The id of the same execution as a job, which begins with `job_`."""
    execution_id: Annotated[str, Field(alias='executionId')]
    """The id that this answer has as an execution of its own; every path takes it too."""
    message: str
    """What was accepted, in a sentence for people."""
    status_url: Annotated[str, Field(alias='statusUrl')]
    """The absolute URL of the job, to be asked with the same key."""


class ColumnView(Model):
    name: str
    """The name of the column, unique in the table."""
    type: Literal['string', 'number', 'boolean', 'date', 'json'] | str
    """What its cells may hold."""
    required: bool
    """True when a cell may not be empty."""
    unique: bool
    """True when no two rows may have the same value; empty cells do not count."""
    default: Any | None = None
    """What a row gets that is inserted without a value; null for none."""
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
    """What it holds; empty when nobody has said."""
    schema_: Annotated[SchemaView, Field(alias='schema')]
    """The columns of the table."""
    row_count: Annotated[int, Field(alias='rowCount')]
    """How many rows it has."""
    max_rows: Annotated[int, Field(alias='maxRows')]
    """The rows that the table may have: what its author set, and not more than the plan allows."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was created, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When its columns or its rows were changed last."""


class ColumnBody(Model):
    name: str
    """The name: letters, digits and underscores, no digit first."""
    type: Literal['string', 'number', 'boolean', 'date', 'json'] | str
    """What its cells may hold."""
    required: bool | None = None
    """True: a row without a value is refused."""
    unique: bool | None = None
    """True: a row with the value of another is refused; empty cells do not count."""
    default: Any | None = None
    """What a row gets that is inserted without a value; null for none."""
    indexed: bool | None = None
    """Makes filters on the column fast; it is built while others write."""


class SchemaBody(Model):
    columns: list[ColumnBody]
    """The columns, in the order in which they are shown."""


class CreateTableBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str
    """The name: letters, digits and underscores, no digit first, and no other table's."""
    description: str | None = None
    """What it holds; empty when left out."""
    schema_: Annotated[SchemaBody, Field(alias='schema')]
    """The columns of the table."""
    max_rows: Annotated[int | None, Field(alias='maxRows')] = None
    """Fewer rows than the plan allows."""


class UpdateTableBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    name: str | None = None
    """The new name; left out, it stays. Blocks that use the old one fail from then on."""
    description: str | None = None
    """The new description; left out, it stays."""


class AddColumnBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    column: ColumnBody
    """The new column, which comes last."""


class ColumnUpdates(Model):
    name: str | None = None
    """The new name; left out, it stays."""
    type: Literal['string', 'number', 'boolean', 'date', 'json'] | str | None = None
    """The new type; a change is refused when a cell does not fit it."""
    required: bool | None = None
    """True: no cell may be empty; refused when one is."""
    unique: bool | None = None
    """True: no two rows may have the same value; refused when two have."""
    default: Any | None = None
    """What a row gets that is inserted without a value; null for none."""
    indexed: bool | None = None
    """Makes filters on the column fast; it is built while others write."""


class ChangeColumnBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    column_name: Annotated[str, Field(alias='columnName')]
    """The column to change."""
    updates: ColumnUpdates
    """What is to change; a member that is left out stays."""


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
    """As for a list of rows."""
    sort: dict[str, Any] | None = None
    """As for a list of rows."""
    guard_formulas: Annotated[bool | None, Field(alias='guardFormulas')] = None
    """Puts a quote before text of a CSV that a spreadsheet would take for a formula."""


class RefusedLineView(Model):
    line: int
    """The line of the file, from 1."""
    message: str
    """What is wrong with it."""


class ImportView(Model):
    inserted_count: Annotated[int, Field(alias='insertedCount')]
    """How many rows were inserted."""
    refused_count: Annotated[int, Field(alias='refusedCount')]
    """How many lines of the file were refused."""
    refused: list[RefusedLineView]
    """The first hundred of the refused lines."""


class ImportJobView(Model):
    inserted_count: Annotated[int, Field(alias='insertedCount')]
    """How many rows were inserted."""
    refused_count: Annotated[int, Field(alias='refusedCount')]
    """How many lines of the file were refused."""
    refused: list[RefusedLineView]
    """The first hundred of the refused lines."""
    id: str
    """The id of the import, which begins with `imp_`."""
    table_id: Annotated[str, Field(alias='tableId')]
    """The id of the table."""
    status: Literal['pending', 'processing', 'completed', 'failed', 'cancelled'] | str
    """`completed`, `failed` and `cancelled` are ends."""
    format: Literal['csv', 'jsonl'] | str
    """The form of the file."""
    mode: Literal['all', 'good'] | str
    """Whether one bad line refuses the file (`all`) or only itself (`good`)."""
    size: int
    """Bytes of the file."""
    line_count: Annotated[int, Field(alias='lineCount')]
    """Lines with rows that are dealt with so far."""
    error: str | None
    """Why it failed."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the file was stored, in ISO 8601 and UTC."""
    started_at: Annotated[str | None, Field(alias='startedAt')]
    """When a worker began, in ISO 8601 and UTC; null until then."""
    completed_at: Annotated[str | None, Field(alias='completedAt')]
    """When the import ended, in ISO 8601 and UTC; null until then."""


class ImportBegunData(Model):
    import_: Annotated[ImportJobView, Field(alias='import')]
    """The import, which waits for a worker."""
    status_url: Annotated[str, Field(alias='statusUrl')]
    """The absolute URL of the import."""
    message: str
    """What was accepted, in a sentence for people."""


class ImportBegunView(Model):
    success: bool
    """Always true: the file is stored."""
    data: ImportBegunData
    """The import, and where to ask how far it is."""


class ImportPageView(Model):
    imports: list[ImportJobView]
    """The imports, the newest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class RowView(Model):
    id: str
    """The id of the row, which begins with `row_`."""
    data: dict[str, Any]
    """Every column by its name; null for an empty cell."""
    position: int
    """Rows are counted on as they are inserted; a deleted one leaves a gap."""
    version: int
    """Rises with each change of the table; also the ETag of the row."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was inserted, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When it was changed last, in ISO 8601 and UTC."""
    execution_id: Annotated[str | None, Field(alias='executionId')]
    """The execution that wrote it last; null when a call of the API did."""


class RowPageView(Model):
    rows: list[RowView]
    """The rows of the page, in the order that was asked for."""
    row_count: Annotated[int, Field(alias='rowCount')]
    """The rows of this page."""
    total_count: Annotated[int, Field(alias='totalCount')]
    """All rows that match, exactly."""
    limit: int
    """How many rows the page may have."""
    offset: int
    """How many rows come before the page; 0 with a cursor."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""
    change_token: Annotated[str, Field(alias='changeToken')]
    """Pass it as `changedSince` to read what changes from now on."""
    deleted_row_ids: Annotated[list[str] | None, Field(alias='deletedRowIds')] = None
    """With `changedSince`: rows that were deleted since."""
    has_more: Annotated[bool | None, Field(alias='hasMore')] = None
    """With `changedSince`: there is more to read at once."""


class QueryRowsBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filter: dict[str, Any] | None = None
    """Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them."""
    sort: dict[str, Any] | None = None
    """Up to five columns with asc or desc, whose order counts. Empty cells come last."""
    limit: int | None = None
    """How many rows the page has at most."""
    offset: int | None = None
    """How many rows come before the page."""
    cursor: str | None = None
    """The `nextCursor` of the page before, in place of an offset."""
    changed_since: Annotated[str | None, Field(alias='changedSince')] = None
    """The `changeToken` of an earlier answer, in place of all but `limit`: what was written or deleted since."""


class InsertedView(Model):
    row: RowView | None = None
    """The row, where `data` was sent."""
    rows: list[RowView]
    """The rows, in the order in which they were sent."""
    inserted_count: Annotated[int, Field(alias='insertedCount')]
    """How many rows were inserted."""
    message: str
    """What was done, in a sentence for people."""


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
    """The unique column that says which row is meant. May be left out when only one is unique."""


class GroupView(Model):
    by: dict[str, Any]
    """The values of the columns by which rows are grouped."""
    values: dict[str, Any]
    """What was wanted, by the names that the request gave."""


class AggregateView(Model):
    groups: list[GroupView]
    """A group for each combination of values; one alone when nothing groups them."""
    has_more: Annotated[bool, Field(alias='hasMore')]
    """There are more than a thousand groups; these are the first."""


class AggregateBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filter: dict[str, Any] | None = None
    """Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them."""
    group_by: Annotated[list[str] | None, Field(alias='groupBy')] = None
    """Up to two columns."""
    aggregates: dict[str, Any]
    """What is wanted, by names of your own: {"total": {"sum": "amount"}, "rows": {"count": "*"}}. Functions are count, sum, avg, min and max."""


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
    """The changes, each of another row; all are made or none."""


class UpdateByFilterBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filter: dict[str, Any] | None = None
    """Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them."""
    all: bool | None = None
    """Must be true when every row is meant; an empty filter alone is refused."""
    data: dict[str, Any]
    """Values by column. null empties a cell."""


class DeleteRowsBody(Model):
    workspace_id: Annotated[str | None, Field(alias='workspaceId')] = None
    """The id of the workspace. It may be left out when the key reaches only one."""
    filter: dict[str, Any] | None = None
    """Conditions by column: a value, or operators such as {"$gt": 5}; $and, $or and $not combine them."""
    all: bool | None = None
    """Must be true when every row is meant; an empty filter alone is refused."""
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
    """The name of its plan, which says what it may use."""
    personal_keys_allowed: Annotated[bool, Field(alias='personalKeysAllowed')]
    """False when only workspace keys work here."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was created, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When it was changed last, in ISO 8601 and UTC."""


class CreateWorkspaceBody(Model):
    name: str
    """The name of the workspace."""


class UpdateWorkspaceBody(Model):
    name: str | None = None
    """The new name; left out, it stays."""
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
    """What the user may do in the workspace."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the user joined, in ISO 8601 and UTC."""


class ChangeRoleBody(Model):
    role: Literal['viewer', 'editor', 'admin'] | str
    """What the member may do from now on."""


class InvitationView(Model):
    id: str
    """The id of the invitation, which begins with `inv_`."""
    email: str
    """The mail address that was invited."""
    name: str
    """The name that a new user gets; empty when none was given."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """What the person may do once they have accepted."""
    status: Literal['pending', 'accepted', 'declined', 'withdrawn', 'expired'] | str
    """`pending` until the person decides; the others are ends."""
    invited_by: Annotated[str, Field(alias='invitedBy')]
    """The user or the key that has invited."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the person was invited, in ISO 8601 and UTC."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """When the token opens nothing any more, in ISO 8601 and UTC."""
    decided_at: Annotated[str | None, Field(alias='decidedAt')]
    """When the person accepted or declined, in ISO 8601 and UTC; null until then."""


class MadeInvitationView(Model):
    id: str
    """The id of the invitation, which begins with `inv_`."""
    email: str
    """The mail address that was invited."""
    name: str
    """The name that a new user gets; empty when none was given."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """What the person may do once they have accepted."""
    status: Literal['pending', 'accepted', 'declined', 'withdrawn', 'expired'] | str
    """`pending` until the person decides; the others are ends."""
    invited_by: Annotated[str, Field(alias='invitedBy')]
    """The user or the key that has invited."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the person was invited, in ISO 8601 and UTC."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """When the token opens nothing any more, in ISO 8601 and UTC."""
    decided_at: Annotated[str | None, Field(alias='decidedAt')]
    """When the person accepted or declined, in ISO 8601 and UTC; null until then."""
    token: str
    """Shown this once. Hand it to the invited person alone."""


class InviteBody(Model):
    email: str
    """The mail address of the person; only a user with this address can accept."""
    name: str | None = None
    """The name that a new user gets; empty when left out."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """What the person may do once they have accepted."""


class OfferView(Model):
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace that one is invited to."""
    workspace_name: Annotated[str, Field(alias='workspaceName')]
    """The name of that workspace."""
    email: str
    """The mail address that was invited."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """What one may do there after accepting."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """When the token opens nothing any more, in ISO 8601 and UTC."""


class InvitationTokenBody(Model):
    token: str
    """The token of the invitation."""


class JoinedView(Model):
    workspace_id: Annotated[str, Field(alias='workspaceId')]
    """The id of the workspace that one has joined."""
    user_id: Annotated[str, Field(alias='userId')]
    """The id of the user who has joined."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """What one may do there."""
    key: str | None
    """The first personal key of a new user, shown this once; null for a user who came with a key."""


class DeclinedView(Model):
    status: Literal['declined'] | str
    """Always `declined`."""


class KeyView(Model):
    id: str
    """The id of the key, which begins with `key_`; it opens nothing."""
    name: str
    """The name that tells people what the key is for."""
    kind: Literal['personal', 'workspace'] | str
    """`workspace` for a key of one workspace, `personal` for one that reaches all workspaces of its user."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """What the key may do; a personal key has the role of its user in each workspace instead."""
    hint: str
    """Enough of the value to tell two keys apart."""
    created_by: Annotated[str, Field(alias='createdBy')]
    """The id of the user or of the key that made it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was created, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """When it opens nothing any more, in ISO 8601 and UTC; null when it does not expire."""
    revoked_at: Annotated[str | None, Field(alias='revokedAt')]
    """When it was revoked, in ISO 8601 and UTC; null while it is good."""
    last_used_at: Annotated[str | None, Field(alias='lastUsedAt')]
    """When it was used last, in ISO 8601 and UTC; null when it never was."""


class MintedKeyView(Model):
    id: str
    """The id of the key, which begins with `key_`; it opens nothing."""
    name: str
    """The name that tells people what the key is for."""
    kind: Literal['personal', 'workspace'] | str
    """`workspace` for a key of one workspace, `personal` for one that reaches all workspaces of its user."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """What the key may do; a personal key has the role of its user in each workspace instead."""
    hint: str
    """Enough of the value to tell two keys apart."""
    created_by: Annotated[str, Field(alias='createdBy')]
    """The id of the user or of the key that made it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was created, in ISO 8601 and UTC."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')]
    """When it opens nothing any more, in ISO 8601 and UTC; null when it does not expire."""
    revoked_at: Annotated[str | None, Field(alias='revokedAt')]
    """When it was revoked, in ISO 8601 and UTC; null while it is good."""
    last_used_at: Annotated[str | None, Field(alias='lastUsedAt')]
    """When it was used last, in ISO 8601 and UTC; null when it never was."""
    key: str
    """Shown this once."""


class CreateKeyBody(Model):
    name: str
    """A name that tells people what the key is for."""
    role: Literal['viewer', 'editor', 'admin'] | str | None = None
    """What the key may do."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')] = None
    """When it opens nothing any more, in ISO 8601; left out, it does not expire."""


class CreatePersonalKeyBody(Model):
    name: str
    """A name that tells people what the key is for."""
    expires_at: Annotated[str | None, Field(alias='expiresAt')] = None
    """When it opens nothing any more, in ISO 8601; left out, it does not expire."""


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
    """When a view of this name was first saved, in ISO 8601 and UTC."""


class SaveViewBody(Model):
    area: Literal['executions', 'workflows', 'audit'] | str
    """The list that the view filters."""
    name: str
    """The name; one view of the list has it, so a second call replaces it."""
    query: str
    """The filters, as in the query of the address of the list."""


class SecretView(Model):
    name: str
    """The name by which blocks read it, as `secrets.NAME`."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the secret got its first value, in ISO 8601 and UTC."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When it got its present value, in ISO 8601 and UTC."""


class PutSecretBody(Model):
    value: str
    """The value, which is stored sealed and never shown again."""


class ProviderView(Model):
    id: str
    """The id of the provider, which stands in the address of its sign-in."""
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
    """When the session ends at the latest, in ISO 8601 and UTC."""


class SignInLinkBody(Model):
    token: str
    """The token of the link: the text behind `#token=`."""


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


class OwnWorkspaceView(Model):
    id: str
    """The id of the workspace."""
    name: str
    """The name of the workspace."""
    plan: str
    """The plan of the workspace."""
    role: Literal['viewer', 'editor', 'admin'] | str
    """What the user may do there."""
    personal_keys_allowed: Annotated[bool, Field(alias='personalKeysAllowed')]
    """False when only keys of the workspace, and people who sign in, are let in."""
    pause_mails: Annotated[bool, Field(alias='pauseMails')]
    """False when no mail about a pause of the workspace reaches the user."""


class OwnSessionView(Model):
    id: str
    """The id of the session."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the person signed in, in ISO 8601 and UTC."""


class MeView(Model):
    id: str
    """The id of the user."""
    email: str
    """The mail address of the user."""
    email_proven: Annotated[bool, Field(alias='emailProven')]
    """True when a mail or an identity provider has proven the address."""
    name: str
    """The name of the user."""
    workspaces: list[OwnWorkspaceView]
    """The workspaces of the user, the oldest first."""
    session: OwnSessionView | None
    """The session that makes the call; null for a key."""


class UpdateMeBody(Model):
    name: str
    """The name that others see."""


class UpdateOwnWorkspaceBody(Model):
    pause_mails: Annotated[bool, Field(alias='pauseMails')]
    """False: no mail about a pause of the workspace reaches you."""


class SessionView(Model):
    id: str
    """The id of the session, which begins with `ses_`; it opens nothing."""
    method: Literal['link', 'mail', 'oidc', 'passkey', 'invitation'] | str
    """How the person signed in."""
    address: str
    """The address from which the person signed in."""
    browser: str
    """The browser in which the person signed in, in words."""
    current: bool
    """True for the session that makes this call."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When the person signed in, in ISO 8601 and UTC."""
    last_used_at: Annotated[str, Field(alias='lastUsedAt')]
    """When it was used last, give or take a minute, in ISO 8601 and UTC."""
    expires_at: Annotated[str, Field(alias='expiresAt')]
    """When it ends at the latest, in ISO 8601 and UTC."""


class RevokedSessionsView(Model):
    message: str
    """What was done, in a sentence for people."""


class SignedOutView(Model):
    signed_out: Annotated[bool, Field(alias='signedOut')]
    """Always true."""


class PasskeyView(Model):
    id: str
    """The id of the passkey, which begins with `pky_`."""
    name: str
    """The name that its user gave it."""
    created_at: Annotated[str, Field(alias='createdAt')]
    """When it was made, in ISO 8601 and UTC."""
    last_used_at: Annotated[str | None, Field(alias='lastUsedAt')]
    """When it signed its user in last; null when it never did."""


class NewPasskeyBody(Model):
    response: dict[str, Any]
    """The answer of the browser, in the JSON form of WebAuthn."""
    name: str
    """A name that tells the person which device it is."""


class UsageBucketView(Model):
    requests_per_minute: Annotated[int, Field(alias='requestsPerMinute')]
    """How many tokens the bucket gains in a minute."""
    max_burst: Annotated[int, Field(alias='maxBurst')]
    """How many tokens the bucket holds at most, so how many calls may come at once."""
    remaining: int
    """How many tokens are left now; a call takes one."""
    reset_at: Annotated[str, Field(alias='resetAt')]
    """When the bucket is full again if nobody calls, in ISO 8601 and UTC."""
    limit: int
    """The same as requestsPerMinute."""
    is_limited: Annotated[bool, Field(alias='isLimited')]
    """No token is left."""


class RateLimitView(Model):
    sync: UsageBucketView
    """The bucket of executions that are waited for."""
    async_: Annotated[UsageBucketView, Field(alias='async')]
    """The bucket of executions that are asked for as jobs."""
    auth_type: Annotated[str, Field(alias='authType')]
    """How the caller is known: always `api`, by a key."""


class SpendingView(Model):
    limit: float
    """What the member may cost in a calendar month."""
    current_period_cost: Annotated[float, Field(alias='currentPeriodCost')]
    """What the member has cost in this month, in UTC."""
    is_exceeded: Annotated[bool, Field(alias='isExceeded')]
    """True when the month has cost as much as the limit or more."""


class StorageView(Model):
    used_bytes: Annotated[int, Field(alias='usedBytes')]
    """Bytes that are stored, of executions, documents and tables together."""
    limit_bytes: Annotated[int, Field(alias='limitBytes')]
    """Bytes that the plan allows."""
    percent_used: Annotated[float, Field(alias='percentUsed')]
    """The share that is used, from 0 to 100."""


class TableLimitsView(Model):
    count: int
    """How many tables there are."""
    max_tables: Annotated[int, Field(alias='maxTables')]
    """How many tables the plan allows."""
    max_rows_per_table: Annotated[int, Field(alias='maxRowsPerTable')]
    """How many rows the plan allows in a table."""


class UsageLimitsView(Model):
    success: bool
    """Always true."""
    rate_limit: Annotated[RateLimitView, Field(alias='rateLimit')]
    """The two buckets of executions."""
    usage: UsageView
    """What the month of the workspace has cost, and what it may cost."""
    member_cap: Annotated[SpendingView | None, Field(alias='memberCap')]
    """What the user of a personal key may cost; null without a cap and for a workspace key."""
    storage: StorageView
    """What the workspace has stored, and what it may store."""
    tables: TableLimitsView
    """How many tables the workspace has, and how many it may have."""


class UsageGroupView(Model):
    group: str
    """The day, the id of the workflow or of who acted, or the kind."""
    name: str | None
    """The name of the workflow, of the member or of the key."""
    cost: float
    """What was booked for the group, in the currency of the prices that the operator sets."""
    entries: int
    """Executions and hosted calls that were booked."""


class UsageTotalView(Model):
    cost: float
    """The cost of all groups, those beyond `limit` too."""
    executions: int
    """Executions that began in the time and are still kept, whether they cost anything or not; a million at most."""


class MemberCapView(Model):
    user_id: Annotated[str, Field(alias='userId')]
    """The id of the member."""
    monthly_cost: Annotated[float, Field(alias='monthlyCost')]
    """What the member may cost in a calendar month."""
    current_period_cost: Annotated[float, Field(alias='currentPeriodCost')]
    """What the member has cost in this month, in UTC."""
    is_exceeded: Annotated[bool, Field(alias='isExceeded')]
    """True when the month has cost as much as the cap or more; executions are refused with 402 then."""
    updated_at: Annotated[str, Field(alias='updatedAt')]
    """When the cap was set last, in ISO 8601 and UTC."""


class SetMemberCapBody(Model):
    monthly_cost: Annotated[float, Field(alias='monthlyCost')]
    """What the member may cost in a calendar month; 0 refuses each execution."""


class LivenessView(Model):
    status: Literal['up'] | str
    """Always `up`: a process that is not alive does not answer."""


class DependenciesView(Model):
    database: Literal['up', 'down'] | str
    """Whether Postgres answers; without it the process cannot serve."""
    temporal: Literal['up', 'down'] | str
    """While it is down, executions are accepted and start later."""


class ReadinessView(Model):
    status: Literal['up', 'down', 'stopping'] | str
    """`up` when requests can be served; `stopping` once the process was told to end."""
    dependencies: DependenciesView
    """How each dependency stands."""


class ListAuditLogsAnswer(Model):
    data: list[AuditLogView]
    """One page of entries, the newest first."""
    limits: LimitsView
    """The rate limits and the usage of the caller, as they are after this call."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class GetTimelineData(Model):
    data: TimelineView
    """The graph with what each block did, and one page of the visits."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListVersionsAnswer(Model):
    data: list[VersionSummaryView]
    """One page of versions, the newest first."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListWorkflowsAnswer(Model):
    data: list[ListedWorkflowView]
    """One page of workflows, the oldest first, and how many the filters let through."""
    total_count: Annotated[int, Field(alias='totalCount')]
    """How many there are in all, on every page together."""
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
    """One page of pauses that wait for an answer: those put to you first, then the oldest."""
    next_cursor: Annotated[str | None, Field(alias='nextCursor')]
    """The `cursor` of the next page; null on the last page."""


class ListKnowledgeBasesData(Model):
    knowledge_bases: Annotated[list[KnowledgeBaseView], Field(alias='knowledgeBases')]
    """Every knowledge base of the workspace."""
    total_count: Annotated[int, Field(alias='totalCount')]
    """How many there are in all, on every page together."""


class ListKnowledgeBasesAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: ListKnowledgeBasesData


class CreateKnowledgeBaseData(Model):
    knowledge_base: Annotated[KnowledgeBaseView, Field(alias='knowledgeBase')]
    """The knowledge base that the call is about."""
    message: str
    """What was done, in a sentence for people."""


class GetKnowledgeBaseData(Model):
    knowledge_base: Annotated[KnowledgeBaseView, Field(alias='knowledgeBase')]
    """The knowledge base that the call is about."""


class UpdateKnowledgeBaseData(Model):
    knowledge_base: Annotated[KnowledgeBaseView, Field(alias='knowledgeBase')]
    """The knowledge base that the call is about."""
    message: str
    """What was done, in a sentence for people."""


class DeleteKnowledgeBaseData(Model):
    message: str
    """What was done, in a sentence for people."""


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
    """Which part of the list the page is."""


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
    """How many of the documents were in the knowledge base already; they are given as they are."""
    message: str
    """What was done, in a sentence for people."""


class GetDocumentData(Model):
    document: DocumentView
    """The document that the call is about."""


class UpdateDocumentData(Model):
    document: DocumentView
    """The document that the call is about."""
    message: str
    """What was done, in a sentence for people."""


class DeleteDocumentData(Model):
    message: str
    """What was done, in a sentence for people."""


class RetryDocumentData(Model):
    document: DocumentView
    """The document that the call is about."""
    message: str
    """What was done, in a sentence for people."""


class ListChunksData(Model):
    chunks: list[ChunkView]
    """The chunks of the page, in the order of the document."""
    pagination: OffsetPageView
    """Which part of the list the page is."""


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
    """What was done, in a sentence for people."""


class DeleteChunkData(Model):
    message: str
    """What was done, in a sentence for people."""


class ListLogsAnswer(Model):
    data: list[LogView]
    """One page of executions, the newest first unless you say. `cut`: a search ended by time, and `nextCursor` goes on."""
    limits: LimitsView
    """The rate limits and the usage of the caller, as they are after this call."""
    cut: bool
    """True when a search ended by time before it had looked at everything; `nextCursor` goes on."""
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
    """How many there are in all, on every page together."""


class ListTablesAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: ListTablesData


class CreateTableData(Model):
    table: TableView
    """The table that the call is about."""
    message: str
    """What was done, in a sentence for people."""


class GetTableData(Model):
    table: TableView
    """The table that the call is about."""


class UpdateTableData(Model):
    table: TableView
    """The table that the call is about."""
    message: str
    """What was done, in a sentence for people."""


class DeleteTableData(Model):
    message: str
    """What was done, in a sentence for people."""


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
    """What was done, in a sentence for people."""


class ListRowsAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: RowPageView
    """One page of the rows that match, and their exact number."""


class UpdateRowsByFilterData(Model):
    message: str
    """What was done, in a sentence for people."""
    updated_count: Annotated[int, Field(alias='updatedCount')]
    """How many rows were changed."""
    updated_row_ids: Annotated[list[str], Field(alias='updatedRowIds')]
    """The ids of the rows that were changed."""


class UpdateRowsData(Model):
    message: str
    """What was done, in a sentence for people."""
    updated_count: Annotated[int, Field(alias='updatedCount')]
    """How many rows were changed."""
    updated_row_ids: Annotated[list[str], Field(alias='updatedRowIds')]
    """The ids of the rows that were changed."""


class DeleteRowsData(Model):
    message: str
    """What was done, in a sentence for people."""
    deleted_count: Annotated[int, Field(alias='deletedCount')]
    """How many rows were deleted."""
    deleted_row_ids: Annotated[list[str], Field(alias='deletedRowIds')]
    """The ids of the rows that were deleted."""
    missing_row_ids: Annotated[list[str], Field(alias='missingRowIds')]
    """The ids that were asked for and that no row has."""


class QueryRowsAnswer(Model):
    success: bool
    """Always true: a call that is refused has another status and another shape."""
    data: RowPageView
    """The same as a list, asked for in a body."""


class UpsertRowData(Model):
    row: RowView
    """The row that the call is about."""
    operation: str
    """`insert` when the row is new, `update` when it was there."""
    message: str
    """What was done, in a sentence for people."""


class GetRowData(Model):
    row: RowView
    """The row that the call is about."""


class UpdateRowData(Model):
    row: RowView
    """The row that the call is about."""
    message: str
    """What was done, in a sentence for people."""


class DeleteRowData(Model):
    message: str
    """What was done, in a sentence for people."""
    deleted_count: Annotated[int, Field(alias='deletedCount')]
    """How many rows were deleted."""


class ListWorkspacesAnswer(Model):
    data: list[WorkspaceView]
    """The workspaces that the key reaches."""


class ListMembersAnswer(Model):
    data: list[MemberView]
    """The members of the workspace with their roles."""


class ListInvitationsAnswer(Model):
    data: list[InvitationView]
    """The newest 200 invitations, those that wait first."""


class ListWorkspaceKeysAnswer(Model):
    data: list[KeyView]
    """The keys of the workspace, without their values."""


class ListPersonalKeysAnswer(Model):
    data: list[KeyView]
    """Your personal keys, without their values."""


class ListSavedViewsAnswer(Model):
    data: list[SavedViewView]
    """Your saved views, by list and name."""


class ListSecretsAnswer(Model):
    data: list[SecretView]
    """The names of the secrets; a value is never shown."""


class ListSessionsAnswer(Model):
    data: list[SessionView]
    """Your live sessions, the one used last first; 200 at most."""


class ListPasskeysAnswer(Model):
    data: list[PasskeyView]
    """Your passkeys, the oldest first."""


class GetUsageData(Model):
    data: list[UsageGroupView]
    """Days in their order, others by their cost."""
    total: UsageTotalView
    """What all groups come to together."""


class ListMemberCapsAnswer(Model):
    data: list[MemberCapView]
    """The caps of all members that have one."""


TraceSpanView.model_rebuild()
