import type { Schemas } from '../api/client.ts';
import { toDraft, parseTyped, toCreate, toUpdate } from './trigger-draft.ts';

const schedule = {
  cron: '0 9 * * *',
  everySeconds: null,
  dates: null,
  except: ['holidays'],
  timezone: 'Europe/Berlin',
  overlap: 'skip',
  catchUpSeconds: 60,
  jitterSeconds: 0,
  endsAt: null,
  maxRuns: 9,
  runs: 3,
  next: [],
  waiting: [],
};
const trigger = { name: 'Daily', kind: 'schedule', inputs: { amount: 1 }, when: null, schedule } as Partial<
  Schemas['TriggerView']
> as Schemas['TriggerView'];

test('a trigger that is saved as it was has no change', () => {
  expect(toUpdate(toDraft(trigger), trigger)).toEqual({});
});

const hook = {
  name: 'Shop',
  kind: 'webhook',
  inputs: null,
  when: null,
  schedule: null,
  webhook: {
    scheme: 'hmac',
    secretName: null,
    hmac: {
      header: 'X-Sign',
      algorithm: 'sha1',
      encoding: 'base64',
      prefix: 'v1=',
      timestampHeader: 'X-Time',
      toleranceSeconds: 60,
    },
    deliveryIdHeader: null,
    deliveryIdPath: 'data.id',
    repeatSeconds: 0,
    respond: 'result',
    waitSeconds: 5,
    hasSecret: true,
    formerSecretUntil: null,
    formerUrlUntil: null,
  },
} as Partial<Schemas['TriggerView']> as Schemas['TriggerView'];

test('a webhook that is saved as it was has no change, and one with another answer keeps its signature', () => {
  expect(toUpdate(toDraft(hook), hook)).toEqual({});
  const { hasSecret: _h, formerSecretUntil: _s, formerUrlUntil: _u, ...kept } = hook.webhook ?? {};
  expect(toUpdate({ ...toDraft(hook), respond: 'accepted' }, hook)).toEqual({
    webhook: { ...kept, respond: 'accepted' },
  });
});

test('the end of a schedule comes back as it was, to the millisecond', () => {
  const endsAt = '2030-03-31T01:30:00.007Z';
  const ending = { ...trigger, schedule: { ...schedule, endsAt } } as Schemas['TriggerView'];
  expect(toUpdate({ ...toDraft(ending), maxRuns: 10 }, ending).schedule).toMatchObject({
    endsAt,
    maxRuns: 10,
  });
});

test('a schedule with another interval keeps its other settings', () => {
  const draft = { ...toDraft(trigger), rhythm: 'interval' as const, everySeconds: 60 };
  const { runs: _r, next: _n, waiting: _w, ...kept } = schedule;
  expect(toUpdate(draft, trigger)).toEqual({ schedule: { ...kept, cron: null, everySeconds: 60 } });
});

test('a new webhook without a filter and inputs names neither, and only hmac has a signature', () => {
  const draft = { ...toDraft(), name: ' Shop ', scheme: 'github' as const };
  expect(toCreate(draft)).toEqual({
    kind: 'webhook',
    name: 'Shop',
    inputs: null,
    when: null,
    webhook: {
      scheme: 'github',
      secretName: null,
      deliveryIdHeader: null,
      deliveryIdPath: null,
      repeatSeconds: 300,
      respond: 'accepted',
      waitSeconds: 10,
    },
  });
  const { webhook } = toCreate({ ...draft, scheme: 'hmac', hmac: { ...draft.hmac, header: ' X-Sign ' } });
  expect(webhook?.hmac?.header).toBe('X-Sign');
});

test('typed JSON is read, and a text that is none is refused in a sentence', () => {
  expect([parseTyped(' '), parseTyped('{"a":1}')]).toEqual([undefined, { a: 1 }]);
  expect(() => parseTyped('{a')).toThrow('no JSON');
  expect(() => toCreate({ ...toDraft(), inputs: '[1]' })).toThrow('an object');
});
