import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkout } from '../paths.ts';
import type { Client, ShownExecution, StartedJob, OpenQuestion, BlockVisit } from './client.ts';
import { crash } from './crash.ts';
import { allowList, lockedPackages } from './packages.ts';
import type { ReportReceiver } from './receiver.ts';
import type { Screen } from './screen.ts';

/** The input of the review. */
export interface Stage {
  client: Client;
  receiver: ReportReceiver;
  screen: Screen;
  /** The data folder, whose `run.json` names the processes to kill. */
  folder: string;
}

export interface ReviewOptions {
  decision: 'approve' | 'reject';
  crash: boolean;
  /** True if the user answers in place of the program. */
  interactive: boolean;
}

/** The outcome, for the checks. */
export interface Reviewed {
  workflowId: string;
  blockIds: string[];
  execution: ShownExecution;
  /** The lines of the block log that were complete when processes were killed. */
  beforeCrashes: BlockVisit[];
}

const lookEveryMs = 100;
const patienceMs = 120_000;
const endings = ['completed', 'failed', 'cancelled'];

/** One licence review from its deployment to its end, shown on the screen as it happens. Uses only HTTP. */
export class Review {
  private workflowId = '';
  private executionId = '';
  private readonly shown = new Set<string>();
  private readonly beforeCrashes: BlockVisit[] = [];

  constructor(
    private readonly stage: Stage,
    private readonly options: ReviewOptions,
  ) {}

  async play(): Promise<Reviewed> {
    const blockIds = await this.deploy();
    await this.execute();
    const paused = await this.follow(({ status }) => status === 'paused');
    const release = this.options.crash ? this.stage.receiver.holdAnswers() : undefined;
    if (paused.status === 'paused') await this.ask(paused);
    if (release) {
      // The report is stored, but its request has no response yet: the sender cannot know whether it arrived.
      const delivered = await this.follow(() => this.stage.receiver.deliveries > 0);
      await this.crashOnce(delivered, 'the report stored over there, but not yet answered');
      release();
    }
    const execution = await this.follow(() => false);
    await this.result(execution);
    return { workflowId: this.workflowId, blockIds, execution, beforeCrashes: this.beforeCrashes };
  }

  private async deploy(): Promise<string[]> {
    const { client, screen } = this.stage;
    const file = join(checkout(), 'apps/local/examples/licence-review.json');
    const definition = JSON.parse(readFileSync(file, 'utf8')) as { blocks: { id: string }[] };
    const created = await client.post<{ data: { id: string } }>('/api/v1/workflows', {
      name: 'Licence review',
      definition,
    });
    this.workflowId = created.data.id;
    const deployed = await client.post<{ data: { version: number; warnings: string[] } }>(
      `/api/v1/workflows/${this.workflowId}/deploy`,
      { name: 'The demo' },
    );
    screen.step(
      'Deployed',
      `Licence review, version ${deployed.data.version} (${definition.blocks.length} blocks)`,
    );
    for (const warning of deployed.data.warnings) screen.note(warning);
    return definition.blocks.map(({ id }) => id);
  }

  /** Asynchronous, so that nobody has to hold a connection while the API is killed. */
  private async execute(): Promise<void> {
    const { client, receiver, screen } = this.stage;
    const packages = lockedPackages();
    const inputs = { packages, allow: allowList, reportUrl: receiver.url };
    const path = `/api/workflows/${this.workflowId}/execute`;
    const accepted = await client.post<{ executionId: string }>(path, { inputs, async: true }, randomUUID());
    this.executionId = accepted.executionId;
    screen.step('Accepted', `${packages.length} packages of package-lock.json`);
    screen.note(`Execution    ${client.url}${this.path}`);
    const { temporalUrl } = await client.getJson<ShownExecution>(this.path);
    if (temporalUrl) screen.note(`Temporal UI  ${temporalUrl}`);
  }

  private get path(): string {
    return `/api/workflows/${this.workflowId}/executions/${this.executionId}`;
  }

  /** Shows the blocks as they end, until the execution is as wanted or has ended. */
  private async follow(
    isThere: (execution: ShownExecution) => boolean,
    limitMs = patienceMs,
  ): Promise<ShownExecution> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const execution = await this.stage.client.getJson<ShownExecution>(this.path);
      for (const visit of execution.blocks) this.show(visit);
      if (isThere(execution) || endings.includes(execution.status)) return execution;
      if (performance.now() > deadline) throw new Error(`The run is ${execution.status} and does not go on.`);
      await pause(lookEveryMs);
    }
  }

  private show({ blockId, name, type, status, duration, port }: BlockVisit): void {
    if (status === 'running' || status === 'paused' || this.shown.has(blockId)) return;
    this.shown.add(blockId);
    const taken = port && port !== 'out' ? ` → ${port}` : '';
    const outcome = status === 'completed' ? `${duration ?? 0} ms` : status;
    this.stage.screen.step(name, `${type.padEnd(10)} ${outcome}${taken}`);
  }

  private async ask(execution: ShownExecution): Promise<void> {
    const { screen } = this.stage;
    const point = this.question(execution);
    screen.step('A person is asked', point.response?.displayData.title);
    if (this.options.crash) {
      await this.crashOnce(execution, 'the question open');
      const { contextId } = this.question(await this.follow(() => true));
      screen.step('Still asked', contextId === point.contextId ? 'the same question' : contextId);
    }
    if (this.options.interactive) await this.leaveToUser(point);
    else await this.answer(point);
  }

  private question({ paused }: ShownExecution): OpenQuestion {
    const point = paused?.pausePoints[0];
    if (!point) throw new Error('The run has no open pause.');
    return point;
  }

  private async answer({ resumeLinks }: OpenQuestion): Promise<void> {
    const { client, screen } = this.stage;
    const { decision } = this.options;
    const note = decision === 'approve' ? 'Used at build time only.' : 'Find replacements first.';
    const body = { input: { decision, note }, async: true };
    await client.post(new URL(resumeLinks.apiUrl).pathname, body, randomUUID());
    screen.step('Answered', `${decision}: ${note}`);
  }

  private async leaveToUser({ resumeLinks, response }: OpenQuestion): Promise<void> {
    const { client, screen } = this.stage;
    for (const { label, value } of response?.displayData.fields ?? []) {
      screen.note(label);
      if (isTable(value)) screen.table(value);
      else screen.line(Array.isArray(value) ? value.join(', ') : String(value));
    }
    screen.step('Your turn', 'approve or reject on this page:');
    screen.line(resumeLinks.uiUrl);
    screen.note('or over the API:');
    screen.line(`curl -X POST ${resumeLinks.apiUrl} \\`);
    screen.line(`  -H 'x-api-key: ${client.key}' -H 'content-type: application/json' \\`);
    screen.line(`  -d '{ "input": { "decision": "approve", "note": "Fine with me." }, "async": true }'`);
    await this.follow(({ status }) => status !== 'paused', Infinity);
  }

  private async result({ jobId }: ShownExecution): Promise<void> {
    const { client, screen } = this.stage;
    const { status, output, error } = await client.getJson<StartedJob>(`/api/jobs/${jobId}?wait=10`);
    screen.step(status === 'completed' ? 'Completed' : 'Failed', output?.summary ?? error);
  }

  private async crashOnce({ blocks, status }: ShownExecution, when: string): Promise<void> {
    // A run that has ended too early fails the checks; there is nothing left to interrupt.
    if (endings.includes(status)) return;
    this.beforeCrashes.push(...blocks.filter(({ endedAt }) => endedAt !== null));
    await crash(this.stage.folder, this.stage.screen, when);
  }
}

function isTable(value: unknown): value is Record<string, string | number>[] {
  return Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);
}
