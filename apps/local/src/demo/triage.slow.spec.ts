import { Stack } from '#apps/api/test/support/stack';
import { Client } from './client.ts';
import { EventReceiver } from './event-receiver.ts';
import { Screen } from './screen.ts';
import { TicketTriage } from './triage.ts';

/** Keeps the checks in place of printing them. */
class CheckedScreen extends Screen {
  readonly checks: string[] = [];

  override step(): void {}

  override heading(): void {}

  override check(holds: boolean, what: string): void {
    this.checks.push(`${holds ? 'ok' : 'FAILED'}: ${what}`);
  }
}

let receiver: EventReceiver;
let stack: Stack;
beforeAll(async () => {
  receiver = await EventReceiver.start();
  stack = await Stack.start();
});
afterAll(async () => {
  await stack.stop();
  await receiver.stop();
});

test('TicketTriage starts runs by signed webhooks and a schedule, tells a receiver, and waits during a deploy', async () => {
  const screen = new CheckedScreen();
  const client = new Client(stack.url, (await stack.givenWorkspace('triage')).key);
  expect(await new TicketTriage({ client, receiver, screen }).play()).toBe(true);
  expect(screen.checks).toEqual([
    'ok: a repeated delivery starts nothing',
    'ok: a forged delivery is refused',
    'ok: the schedule reminds of the open ticket (T-1)',
    'ok: a delivery during the deploy is taken and waits',
    'ok: the receiver has heard of both ends, each signed',
    'ok: two tickets are two runs (completed, completed)',
  ]);
});

test('EventReceiver believes nothing that is not signed with its secret', async () => {
  const answer = await fetch(`http://${receiver.address}/events`, { method: 'POST', body: '{"type":"x"}' });
  expect([answer.status, receiver.events.filter(({ type }) => type === 'x')]).toEqual([401, []]);
});
