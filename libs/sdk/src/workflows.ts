import { Call } from './call.ts';
import { getTimeout } from './connection.ts';
import { ConfigurationError } from './errors.ts';
import type { ServerEvent } from './events.ts';
import { EventStream } from './events.ts';
import { Executions, type Job } from './executions.ts';
import { JobsResource } from './generated/jobs.ts';
import { WorkflowsResource } from './generated/workflows.ts';
import type { CallOptions } from './options.ts';
import { joinSignals } from './retries.ts';
import type { Schemas } from './shapes.ts';
import type { ApiRequest } from './transport.ts';

/** The answer of `start`: the execution was accepted. */
export type Acknowledgement = Schemas['AcknowledgementView'];

/** The answer of `execute`: the run has ended, or waits for a person. `limits` is absent when the run was followed as a job. */
export type Result<Output = unknown> = Omit<Schemas['SyncResultView'], 'output' | 'limits'> & {
  output: Output;
  limits?: Schemas['LimitsView'];
};

type JsonObject = Record<string, unknown>;

/** Types of deployed workflows by their names; the command `holdfast types` writes them. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface DeployedWorkflows {}

type InputsOf<Name> = Name extends keyof DeployedWorkflows
  ? DeployedWorkflows[Name] extends { inputs: infer Inputs }
    ? Inputs
    : JsonObject
  : JsonObject;
type OutputOf<Name> = Name extends keyof DeployedWorkflows
  ? DeployedWorkflows[Name] extends { output: infer Output }
    ? Output
    : unknown
  : unknown;

export interface ExecuteParams {
  inputs?: JsonObject;
  /** Adds the first hundred blocks as `logs` and as `traceSpans`. */
  includeTraceSpans?: boolean;
}

/** The longest that a caller lets the server hold an answer back, in seconds, before it follows the job. */
const longestHoldS = 50;

/** The calls of `client.workflows`. */
export class Workflows extends WorkflowsResource {
  /**
   * Executes the live version and resolves when the run has ended, or waits for a person: look at `success` and `status`. A run that the
   * server answers with a job is followed to that point. A run that fails does not reject.
   *
   * `POST /api/workflows/{workflowId}/execute`
   */
  execute(workflowId: string, params: ExecuteParams = {}, options: CallOptions = {}): Call<Result> {
    const hold = Math.min(longestHoldS, Math.floor(getTimeout(this.transport.connection, options) / 1250));
    const headers: Record<string, string> = hold > 0 ? { prefer: `wait=${hold}` } : {};
    if (params.includeTraceSpans) headers['x-include-trace-spans'] = 'true';
    const request = this.#request(workflowId, { inputs: params.inputs ?? {} });
    const merged = { ...options, headers: { ...headers, ...options.headers } };
    return new Call(this.transport.send(request, merged), async (response) => {
      const answer = await this.transport.json<Result | Acknowledgement>(response, options);
      return 'async' in answer ? this.#resultOf(answer, options) : answer;
    });
  }

  /** Executes the live version as a job, and resolves when it is accepted. `executions.wait` waits for its end. */
  start(workflowId: string, params: ExecuteParams = {}, options: CallOptions = {}): Call<Acknowledgement> {
    return this.transport.read(
      this.#request(workflowId, { inputs: params.inputs ?? {}, async: true }),
      options,
    );
  }

  /** Executes the live version and gives its states as they come. A connection that breaks is followed on. */
  stream(workflowId: string, params: ExecuteParams = {}, options: CallOptions = {}): EventStream<Job> {
    return new EventStream((_, signal) => this.#events(workflowId, params, options, signal));
  }

  /** Executes the live version and gives what its Response block says, alone: status, headers and body. */
  executeRaw(workflowId: string, params: ExecuteParams = {}, options: CallOptions = {}): Promise<Response> {
    const headers = { 'x-response-mode': 'raw', ...options.headers };
    const request = { ...this.#request(workflowId, { inputs: params.inputs ?? {} }), accept: '*/*' };
    return this.transport.send(request, { ...options, headers });
  }

  #request(workflowId: string, params: JsonObject): ApiRequest {
    const path = `/api/workflows/${this.segment(workflowId)}/execute`;
    return { id: 'executeWorkflow', verb: 'POST', path, params, body: 'json', idempotent: true };
  }

  async #resultOf({ executionId, jobId, limits }: Acknowledgement, options: CallOptions): Promise<Result> {
    const { signal, timeout, maxRetries } = options;
    const job = await new Executions(this.transport).wait(jobId, { signal, timeout, maxRetries });
    const { success, output = {}, error = null, failure, paused, metadata } = job;
    const status = paused ? 'paused' : job.status;
    const { startedAt: startTime, completedAt: endTime, duration } = metadata;
    return {
      success,
      output,
      error,
      ...(failure ? { failure } : {}),
      ...(paused ? { paused } : {}),
      executionId,
      jobId,
      limits,
      status,
      metadata: { executionId, status, duration, startTime, endTime },
    } as Result;
  }

  async *#events(
    workflowId: string,
    { inputs = {} }: ExecuteParams,
    options: CallOptions,
    aborted: AbortSignal,
  ): AsyncGenerator<ServerEvent<Job>> {
    // The job is followed from its beginning, so that one way of streaming serves all.
    const signal = joinSignals(aborted, options.signal);
    const { jobId } = await this.start(workflowId, { inputs }, { ...options, signal });
    const { timeout, maxRetries } = options;
    yield* new JobsResource(this.transport).follow(jobId, { signal, timeout, maxRetries });
  }
}

/** One workflow, found by its name in the workspace when it is first called. */
export class NamedWorkflow<Name extends string> {
  #id: Promise<string> | undefined;

  constructor(
    private readonly workflows: Workflows,
    private readonly name: Name,
  ) {}

  /** The id of the workflow. Rejects when no workflow of the workspace has the name, or several have it. */
  id(): Promise<string> {
    this.#id ??= this.#find().catch((error: unknown) => {
      this.#id = undefined;
      throw error;
    });
    return this.#id;
  }

  async execute(inputs: InputsOf<Name>, options: CallOptions = {}): Promise<Result<OutputOf<Name>>> {
    const result = await this.workflows.execute(await this.id(), { inputs }, options);
    return result as Result<OutputOf<Name>>;
  }

  async start(inputs: InputsOf<Name>, options: CallOptions = {}): Promise<Acknowledgement> {
    return this.workflows.start(await this.id(), { inputs }, options);
  }

  async #find(): Promise<string> {
    const found = await this.workflows.list({ name: this.name }).then((page) => page.toArray(100));
    const named = found.filter(({ name }) => name === this.name);
    const [first, second] = named;
    if (first && !second) return first.id;
    throw new ConfigurationError(
      first
        ? `Several workflows have the name ${JSON.stringify(this.name)}. Call one by its id.`
        : `No workflow of the workspace has the name ${JSON.stringify(this.name)}.`,
    );
  }
}
