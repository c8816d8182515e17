import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkout } from '../paths.ts';
import type { Client } from './client.ts';
import type { EventReceiver } from './event-receiver.ts';
import type { Screen } from './screen.ts';

interface TriageStage {
  client: Client;
  receiver: EventReceiver;
  screen: Screen;
}

interface Ticket {
  ticket: string;
  priority: 'low' | 'high';
  text: string;
}

/** What the address of the trigger answers. */
interface Delivered {
  status: number;
  executionId?: string;
}

const urgent: Ticket = { ticket: 'T-1', priority: 'high', text: 'The shop is down.' };
const later: Ticket = { ticket: 'T-2', priority: 'low', text: 'How do I change my address?' };
const lookEveryMs = 200;
const looksMax = 300;

/**
 * A help desk starts a workflow by signed webhooks, a schedule reminds of what is open, a receiver hears of each end, and a hold keeps
 * deliveries back during a deploy. All of it uses only HTTP.
 */
export class TicketTriage {
  private workspaceId = '';
  private workflowId = '';
  private hook = '';
  private secret = '';

  constructor(private readonly stage: TriageStage) {}

  /** Returns true when each delivery did what it should. */
  async play(): Promise<boolean> {
    const { screen } = this.stage;
    await this.prepare();
    const first = await this.send(urgent, 'delivery-1');
    screen.step('The help desk sends', `${urgent.ticket}, signed; answered with ${first.status}`);
    const again = await this.send(urgent, 'delivery-1');
    screen.step('It sends it again', `answered with the same execution, ${again.executionId}`);
    const forged = await this.send(urgent, 'delivery-2', 'not the secret');
    screen.step('Somebody else sends', `with a wrong signature; answered with ${forged.status}`);
    await this.awaitEnd(first.executionId);
    const reminded = await this.remind();
    const [held, wasHeld] = await this.deployUnderHold();
    const heard = await this.awaitEvents([first.executionId, held.executionId]);
    const statuses = await this.listStatuses();
    const checks: [boolean, string][] = [
      [
        first.executionId !== undefined && first.executionId === again.executionId,
        'a repeated delivery starts nothing',
      ],
      [forged.status === 401, 'a forged delivery is refused'],
      [reminded === urgent.ticket, `the schedule reminds of the open ticket (${reminded})`],
      [wasHeld, 'a delivery during the deploy is taken and waits'],
      [heard, 'the receiver has heard of both ends, each signed'],
      [statuses.join() === 'completed,completed', `two tickets are two runs (${statuses.join(', ')})`],
    ];
    screen.heading('Checks');
    for (const [holds, what] of checks) screen.check(holds, what);
    return checks.every(([holds]) => holds);
  }

  private async prepare(): Promise<void> {
    const { client, screen, receiver } = this.stage;
    const [workspace] = (await client.getJson<{ data: { id: string }[] }>('/api/v1/workspaces')).data;
    this.workspaceId = workspace?.id ?? '';
    const columns = [
      { name: 'ticket', type: 'string', unique: true },
      { name: 'queue', type: 'string' },
      { name: 'state', type: 'string' },
    ];
    await client.post('/api/v1/tables', {
      workspaceId: this.workspaceId,
      name: 'tickets',
      schema: { columns },
    });
    this.workflowId = await this.deploy('ticket-triage');
    screen.step('Deployed', 'a workflow that sorts the tickets of a help desk');
    const { data: trigger } = await client.post<{ data: { url: string; secret: string } }>(
      `/api/v1/workflows/${this.workflowId}/triggers`,
      {
        kind: 'webhook',
        name: 'Help desk',
        webhook: { scheme: 'github' },
        when: 'event.body.action == "opened"',
        inputs: {
          ticket: '{{ event.body.ticket.ticket }}',
          priority: '{{ event.body.ticket.priority }}',
          text: '{{ event.body.ticket.text }}',
        },
      },
    );
    this.hook = new URL(trigger.url).pathname;
    this.secret = trigger.secret;
    screen.step('A webhook starts it', 'an address and a secret for the help desk');
    const endpoint = {
      url: `http://${receiver.address}/events`,
      types: ['execution.completed'],
      workflowIds: [this.workflowId],
    };
    const { data } = await client.post<{ data: { secret: string } }>(
      `/api/v1/workspaces/${this.workspaceId}/endpoints`,
      endpoint,
    );
    receiver.secret = data.secret;
    screen.step('A receiver hears of it', 'of each run that completes');
  }

  private async deploy(example: string): Promise<string> {
    const { client } = this.stage;
    const file: object = JSON.parse(
      readFileSync(join(checkout(), `apps/local/examples/${example}.json`), 'utf8'),
    );
    const { data } = await client.post<{ data: { id: string } }>('/api/v1/workflows', file);
    await client.post(`/api/v1/workflows/${data.id}/deploy`, {});
    return data.id;
  }

  /** Sends a ticket as the help desk does, with a signature of the secret. */
  private async send(ticket: Ticket, id: string, secret = this.secret): Promise<Delivered> {
    const body = JSON.stringify({ action: 'opened', ticket });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = {
      'content-type': 'application/json',
      'x-github-delivery': id,
      'x-hub-signature-256': `sha256=${signature}`,
    };
    const response = await fetch(this.stage.client.url + this.hook, { method: 'POST', headers, body });
    const answer: { executionId?: string } = JSON.parse(await response.text());
    return { status: response.status, ...answer };
  }

  /** Has a schedule start the reminder once, and returns the tickets that it names. */
  private async remind(): Promise<string> {
    const { client, screen } = this.stage;
    const reminder = await this.deploy('ticket-reminder');
    const path = `/api/v1/workflows/${reminder}/triggers`;
    const schedule = { everySeconds: 1, maxRuns: 1 };
    const { data } = await client.post<{ data: { id: string } }>(path, {
      kind: 'schedule',
      name: 'Each second',
      inputs: {},
      schedule,
    });
    const read = () =>
      client.getJson<{ data: { verdict: string; executionId: string }[] }>(`${path}/${data.id}/deliveries`);
    const moments = await this.until(read, ({ data: found }) => found.length > 0);
    const open = (await this.awaitEnd(moments.data[0]?.executionId)).output?.open ?? [];
    screen.step('A schedule reminds', `of ${open.join(', ')}`);
    return open.join();
  }

  /** Holds the workflow, deploys it again, and lets go what came meanwhile. Tells what came, and whether it has waited. */
  private async deployUnderHold(): Promise<[Delivered, boolean]> {
    const { client, screen } = this.stage;
    const holds = `/api/v1/workspaces/${this.workspaceId}/holds`;
    const reason = 'A new version is being deployed.';
    const { data: hold } = await client.post<{ data: { id: string } }>(holds, {
      workflowId: this.workflowId,
      reason,
      mode: 'queue',
    });
    screen.step('The workflow is held', reason);
    const delivered = await this.send(later, 'delivery-3');
    const { status } = await this.readJob(delivered.executionId);
    screen.step('The help desk sends', `${later.ticket}, which waits (${status})`);
    await client.post(`/api/v1/workflows/${this.workflowId}/deploy`, {});
    await client.post(`${holds}/${hold.id}/release`, {});
    screen.step('The hold is released', 'after the deploy');
    await this.awaitEnd(delivered.executionId);
    return [delivered, delivered.status === 202 && status === 'queued'];
  }

  private readJob(executionId = ''): Promise<{ status: string; output?: { open?: string[] } }> {
    return this.stage.client.getJson(`/api/jobs/${executionId.replace('exec_', 'job_')}`);
  }

  private awaitEnd(executionId = ''): Promise<{ status: string; output?: { open?: string[] } }> {
    return this.until(
      () => this.readJob(executionId),
      ({ status }) => ['completed', 'failed', 'cancelled'].includes(status),
    );
  }

  private async awaitEvents(executionIds: (string | undefined)[]): Promise<boolean> {
    const { receiver, screen } = this.stage;
    const heard = () => receiver.events.map(({ data }) => data.executionId);
    const isHeard = () => executionIds.every((id) => heard().includes(id ?? ''));
    await this.until(() => Promise.resolve(), isHeard);
    screen.step('The receiver has heard', `${new Set(heard()).size} ends`);
    return isHeard();
  }

  /** The states of all executions of the workflow. */
  private async listStatuses(): Promise<string[]> {
    const path = `/api/v1/logs?workflowIds=${this.workflowId}`;
    const { data } = await this.stage.client.getJson<{ data: { status: string }[] }>(path);
    return data.map(({ status }) => status);
  }

  /** Reads again and again until the value is as wanted, for a minute at most. */
  private async until<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
    let value = await read();
    for (let looks = 0; looks < looksMax && !isWanted(value); looks += 1) {
      await pause(lookEveryMs);
      value = await read();
    }
    return value;
  }
}
