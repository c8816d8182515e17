import { setTimeout as pause } from 'node:timers/promises';
import { Hook } from '#libs/triggers/webhooks/support/signed-hook';
import { Chance } from '../chance.ts';
import type { Receiver } from '../receiver.ts';
import { countOpen, queryRows, settle } from './rows.ts';
import { setStage } from '../stage.ts';
import type { Target } from '../target.ts';
import { Breaker } from '../troubles.ts';

/** Senders at once, and the share of their deliveries that they have delivered already. */
const [senders, repeatedShare] = [8, 0.3];
const killEveryMs = 10_000;
/** A delivery without an answer in this time is given up. */
const givesUpAfterMs = 240_000;

interface Options {
  deliveries: number;
  seed: number;
  receiver: Receiver;
  say(line: string): void;
}

/** Senders deliver to a signed hook, and repeat deliveries at the same moment and later, while processes are killed. */
export async function runDeliveries(target: Target, { deliveries, seed, receiver, say }: Options) {
  const { workflows, wide } = await setStage(target, receiver.url, 0);
  const workflowId = workflows.get('pure') ?? '';
  const post = async (path: string, body: object) => (await wide.call('POST', path, { body })).body;
  const senderSide = new Sender(await Hook.create(post, target.urls, workflowId), new Chance(seed));
  const breaker = new Breaker(target);
  const begun = performance.now();
  let sent = 0;
  const work = async () => {
    while (sent < deliveries) {
      sent += 1;
      if (sent % 5000 === 0) say(`${sent} of ${deliveries} deliveries were sent`);
      await senderSide.sendNext();
    }
  };
  await breaker.killWhile(killEveryMs, () => Promise.all(Array.from({ length: senders }, work)));
  const seconds = (performance.now() - begun) / 1000;
  await senderSide.stop();
  await settle(target, countOpen, [[workflowId]]);
  const rows = await queryRows<StartedRow>(target, listStarted, [workflowId]);
  const { answers, resent, repeated } = senderSide;
  return {
    faults: [...senderSide.faults, ...compareWithRows(answers, rows)],
    figures: {
      deliveries,
      distinct: answers.size,
      repeated,
      executions: rows.length,
      resent,
      kills: breaker.counts.kills,
      perS: Math.round(deliveries / seconds),
    },
  };
}

/** Delivers events, and sends again what was not answered, as real senders do. */
class Sender {
  /** By id of a delivery: the execution of its first answer. */
  readonly answers = new Map<string, string>();
  readonly faults: string[] = [];
  /** Attempts that got no answer, or 503. */
  resent = 0;
  repeated = 0;
  private readonly ids: string[] = [];

  constructor(
    private readonly hook: Hook,
    private readonly chance: Chance,
  ) {}

  /** Half of the repetitions follow the delivery that was begun last, which is mostly still under way. */
  async sendNext(): Promise<void> {
    const isRepeated = this.ids.length > 0 && this.chance.next() < repeatedShare;
    if (isRepeated) this.repeated += 1;
    else this.ids.push(`delivery-${this.ids.length}`);
    const isLast = !isRepeated || this.chance.next() < 0.5;
    const id = (isLast ? this.ids.at(-1) : this.chance.of(this.ids)) ?? '';
    const executionId = await this.deliver(id);
    const first = this.answers.get(id) ?? executionId;
    this.answers.set(id, first);
    if (first !== executionId)
      this.faults.push(`${id} was answered with ${first}, and a repetition with ${executionId}.`);
  }

  /** Resolves to the execution that the answer tells. */
  private async deliver(id: string): Promise<string> {
    const deadline = performance.now() + givesUpAfterMs;
    for (;;) {
      const answer = await this.hook.deliver(id, '{"n":7}').catch(() => null);
      if (answer?.status === 202) return String(JSON.parse(answer.text).executionId);
      if (answer && answer.status !== 503)
        this.faults.push(`${id} was answered with ${answer.status}: ${answer.text}`);
      if ((answer && answer.status < 500) || performance.now() > deadline)
        throw new Error(`${id} was not accepted: ${answer?.text}`);
      this.resent += 1;
      await pause(20);
    }
  }

  stop(): Promise<void> {
    return this.hook.stop();
  }
}

interface StartedRow {
  id: string;
  status: string;
  senderId: string | null;
}

/** Each delivery must have one execution, that of its answers, and no execution may be without one. */
function compareWithRows(answers: Map<string, string>, rows: StartedRow[]): string[] {
  const ids = new Set(rows.map(({ id }) => id));
  return [
    ...rows
      .filter(({ id, senderId }) => answers.get(senderId ?? '') !== id)
      .map(({ id, senderId }) => `${id} was started for ${senderId}, whose answer tells another execution.`),
    ...rows.filter(({ status }) => status !== 'completed').map(({ id, status }) => `${id} is ${status}.`),
    ...[...answers]
      .filter(([, executionId]) => !ids.has(executionId))
      .map(([id]) => `The execution of ${id} is lost.`),
    ...(rows.length === answers.size
      ? []
      : [`${answers.size} distinct deliveries have started ${rows.length} executions.`]),
  ];
}

/** $1 workflow */
const listStarted = /* sql */ `
select e.id, e.status, d.sender_id as "senderId" from executions e
left join trigger_deliveries d on d.execution_id = e.id and d.verdict = 'accepted' where e.workflow_id = $1`;
