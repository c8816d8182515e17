import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { until } from '#apps/local/src/processes';

const namespace = 'default';
/** By default Temporal lets only 50 signals a second through. */
const signalsPerSecond = 500;
const settleMs = 30_000;
const roundsMax = 5;

/** The builds of a worker deployment, handled as an operator does. */
export class Builds {
  private constructor(
    private readonly client: Client,
    readonly deploymentName: string,
  ) {}

  static async of(address: string, deploymentName: string): Promise<Builds> {
    return new Builds(new Client({ connection: await Connection.connect({ address }) }), deploymentName);
  }

  /** Makes the build current, as soon as Temporal has seen a worker of it. */
  async makeCurrent(buildId: string): Promise<void> {
    const { deploymentName } = this;
    const set = () =>
      this.client.workflowService
        .setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId })
        .then(
          () => true,
          () => false,
        );
    await until(set, 60_000, `A worker of build ${buildId}`);
  }

  /** Moves all open runs of a build to the current one, as `temporal workflow signal --query` does. */
  async leave(buildId: string): Promise<void> {
    const version = `TemporalWorkerDeploymentVersion = "${this.deploymentName}:${buildId}"`;
    const visibilityQuery = `${version} AND ExecutionStatus = "Running"`;
    const isLeft = async () => (await this.client.workflow.count(visibilityQuery)).count === 0;
    // Repeats the signal, because a run may get it before its task queue knows the new build.
    for (let round = 0; round < roundsMax && !(await isLeft()); round++) {
      await this.signal(visibilityQuery);
      await until(isLeft, settleMs, 'The move').catch(() => undefined);
    }
    if (!(await isLeft())) throw new Error(`Some runs stay on build ${buildId}.`);
  }

  private async signal(visibilityQuery: string): Promise<void> {
    const { workflowService } = this.client;
    const jobId = randomUUID();
    const maxOperationsPerSecond = signalsPerSecond;
    const job = { namespace, jobId, visibilityQuery, reason: 'a new build', maxOperationsPerSecond };
    await workflowService.startBatchOperation({ ...job, signalOperation: { signal: 'upgrade' } });
    const ended = async () =>
      Boolean((await workflowService.describeBatchOperation({ namespace, jobId })).closeTime);
    await until(ended, 1_800_000, 'The batch of signals');
  }

  async close(): Promise<void> {
    await this.client.connection.close();
  }
}
