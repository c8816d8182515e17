import type { Schemas } from '../api/client.ts';
import { draftOf, parseTyped, toCreate, toUpdate } from './trigger-draft.ts';

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
  expect(toUpdate(draftOf(trigger), trigger)).toEqual({});
});

test('a schedule with another interval keeps the settings that the form does not show', () => {
  const draft = { ...draftOf(trigger), rhythm: 'interval' as const, everySeconds: 60 };
  const { runs: _r, next: _n, waiting: _w, ...kept } = schedule;
  expect(toUpdate(draft, trigger)).toEqual({ schedule: { ...kept, cron: null, everySeconds: 60 } });
});

test('a new webhook without a filter and inputs names neither, and only hmac has a signature', () => {
  const draft = { ...draftOf(), name: ' Shop ', scheme: 'github' as const };
  expect(toCreate(draft)).toEqual({
    kind: 'webhook',
    name: 'Shop',
    inputs: null,
    when: null,
    webhook: { scheme: 'github' },
  });
  const { webhook } = toCreate({ ...draft, scheme: 'hmac', hmac: { ...draft.hmac, header: ' X-Sign ' } });
  expect(webhook?.hmac?.header).toBe('X-Sign');
});

test('typed JSON is read, and a text that is none is refused in a sentence', () => {
  expect([parseTyped(' '), parseTyped('{"a":1}')]).toEqual([undefined, { a: 1 }]);
  expect(() => parseTyped('{a')).toThrow('no JSON');
  expect(() => toCreate({ ...draftOf(), inputs: '[1]' })).toThrow('an object');
});
