import fc from 'fast-check';
import type { Approvals } from '#libs/language/definition/blocks/approvals';
import type { Asking } from '#libs/language/engine/asking';
import type { PauseEffect } from '#libs/language/engine/effects';
import type { ResumeMessage } from '#temporal/messages';
import { PauseTracker } from './pause-tracker.ts';

const approvals: Approvals = {
  required: 2,
  veto: false,
  allowStarter: false,
  assignees: ['ann', 'bob', 'cem'],
  roles: [],
  decision: 'ok',
};

function pauseOf(path: string, asking?: Asking): PauseEffect {
  return {
    kind: 'pause',
    visit: { path, blockId: path },
    name: path,
    title: '',
    message: '',
    fields: [],
    form: [],
    ...(asking ? { asking } : {}),
    scopes: {},
    expiresAtMs: null,
  };
}

/** A tracker with open pauses that are in the rows. The context of each is its path with `ctx_` before it. */
function given(
  paths: string[],
  { asking, starter }: { asking?: Asking; starter?: string } = {},
): PauseTracker {
  const tracker = new PauseTracker(starter);
  for (const path of paths) tracker.open(pauseOf(path, asking));
  const contexts = Object.fromEntries(paths.map((path) => [path, `ctx_${path}`]));
  tracker.addContexts(contexts, tracker.drainUnwritten(false).opened, 1000);
  return tracker;
}

const answer = (entryId: string, path: string, who?: string, ok = true): ResumeMessage => ({
  entryId,
  contextId: `ctx_${path}`,
  answers: { ok },
  ...(who ? { person: { id: who, names: [who], role: 'editor' } } : {}),
});

describe('a pause without approvals', () => {
  test('is written to the rows once, and so is the answer that closes it', () => {
    const tracker = given(['a']);
    expect(tracker.unwritten).toBe(false);
    expect(tracker.claim(answer('res_1', 'a'))).toEqual({ path: 'a', answers: { ok: true } });
    expect(tracker.unwritten).toBe(true);
    expect(tracker.drainUnwritten(false)).toMatchObject({
      opened: [],
      claimed: [{ entryId: 'res_1', contextId: 'ctx_a', decides: true }],
      completed: [],
    });
    expect(tracker.unwritten).toBe(false);
    expect(tracker.drainUnwritten(true).completed).toEqual(['res_1']);
    expect(tracker.drainUnwritten(true).completed).toEqual([]);
  });

  test('takes one answer and refuses the next, and an answer to no pause', () => {
    const tracker = given(['a']);
    expect(tracker.findRefusal(answer('res_1', 'a'))).toBeNull();
    tracker.claim(answer('res_1', 'a'));
    expect(tracker.findRefusal(answer('res_2', 'a'))).toMatchObject({ type: 'PAUSE_CLOSED' });
    expect(tracker.claim(answer('res_2', 'a'))).toBeNull();
    expect(tracker.findRefusal(answer('res_3', 'b'))).toMatchObject({ type: 'PAUSE_NOT_FOUND' });
  });

  test('is answered or expired, whichever comes first', () => {
    const answered = given(['a']);
    answered.claim(answer('res_1', 'a'));
    expect(answered.expire('a')).toBe(false);
    const expired = given(['a']);
    expect(expired.expire('a')).toBe(true);
    expect(expired.claim(answer('res_1', 'a'))).toBeNull();
    expect(expired.drainUnwritten(false).expired).toEqual(['a']);
  });
});

describe('close', () => {
  test('leaves no trace of a pause that was never written to the rows', () => {
    const tracker = new PauseTracker();
    tracker.open(pauseOf('a'));
    tracker.close('a');
    expect(tracker.unwritten).toBe(false);
  });

  test('writes the close of a pause that is in the rows, and refuses its answers', () => {
    const tracker = given(['a']);
    tracker.close('a');
    expect(tracker.drainUnwritten(false).closed).toEqual(['a']);
    expect(tracker.findRefusal(answer('res_1', 'a'))).toMatchObject({ type: 'PAUSE_CLOSED' });
  });
});

describe('a pause with approvals', () => {
  test('goes on when enough people approve, with all votes', () => {
    const tracker = given(['a'], { asking: { approvals, remindersMs: [] } });
    expect(tracker.claim(answer('res_1', 'a', 'ann'))).toBeNull();
    expect(tracker.claim(answer('res_2', 'a', 'bob', false))).toBeNull();
    expect(tracker.claim(answer('res_3', 'a', 'cem'))).toMatchObject({
      path: 'a',
      answers: { ok: true, votes: [{ person: 'ann' }, { person: 'bob' }, { person: 'cem' }] },
    });
    expect(tracker.drainUnwritten(false).claimed.map(({ decides }) => decides)).toEqual([false, false, true]);
  });

  test('gives each vote the moment of its commit, and shows its person under one name', () => {
    const tracker = given(['a'], { asking: { approvals: { ...approvals, required: 1 }, remindersMs: [] } });
    const person = { id: 'ann', own: ['usr_1', 'ann'], names: ['ann'], role: 'editor' };
    const taken = tracker.claim({ ...answer('res_1', 'a', 'ann'), person, atMs: 1000 });
    expect(taken?.answers['votes']).toEqual([
      { person: 'ann', approved: true, at: '1970-01-01T00:00:01.000Z', answers: { ok: true } },
    ]);
  });

  test('recognises a person who has already answered under another name', () => {
    const tracker = given(['a'], { asking: { approvals, remindersMs: [] } });
    const guest = { id: 'ann@x', own: ['ann@x'], names: ['ann'] };
    tracker.claim({ ...answer('res_1', 'a', 'ann'), person: guest });
    const member = { id: 'usr_1', own: ['usr_1', 'ann@x'], names: ['ann'], role: 'editor' };
    const again = { ...answer('res_2', 'a', 'ann'), person: member };
    expect(tracker.findRefusal(again)).toMatchObject({ type: 'ALREADY_VOTED' });
  });

  test('is rejected by one rejection when it has a veto', () => {
    const tracker = given(['a'], { asking: { approvals: { ...approvals, veto: true }, remindersMs: [] } });
    expect(tracker.claim(answer('res_1', 'a', 'ann', false))).toMatchObject({ answers: { ok: false } });
  });

  test('refuses the person who started the run, and a second answer of the same person', () => {
    const tracker = given(['a'], { asking: { approvals, remindersMs: [] }, starter: 'cem' });
    expect(tracker.findRefusal(answer('res_1', 'a', 'cem'))).toMatchObject({
      type: 'STARTER_MAY_NOT_ANSWER',
    });
    tracker.claim(answer('res_2', 'a', 'ann'));
    expect(tracker.findRefusal(answer('res_3', 'a', 'ann'))).toMatchObject({ type: 'ALREADY_VOTED' });
  });

  test("takes an answer of the escalation's people only after the escalation", () => {
    const escalation = { afterMs: 1, to: ['dee'] };
    const tracker = given(['a'], { asking: { approvals, remindersMs: [], escalation } });
    expect(tracker.findRefusal(answer('res_1', 'a', 'dee'))).toMatchObject({ type: 'NOT_AN_ASSIGNEE' });
    const pause = tracker.openPauseAt('a');
    if (pause) pause.escalated = true;
    expect(tracker.findRefusal(answer('res_1', 'a', 'dee'))).toBeNull();
  });
});

describe('the tracker that the next history of the run gets', () => {
  test('answers all messages like the present tracker', () => {
    const paths = ['a', 'b', 'c'];
    const people = ['ann', 'bob', 'cem', 'dee'];
    const asking: Asking = { approvals, remindersMs: [] };
    const said = fc.record({
      path: fc.constantFrom(...paths),
      who: fc.constantFrom(...people),
      ok: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(said, { maxLength: 10 }), fc.array(said, { maxLength: 10 }), (before, after) => {
        const tracker = given(paths, { asking, starter: 'dee' });
        const tell = (to: PauseTracker, { path, who, ok }: (typeof before)[number], n: number) => {
          const message = answer(`res_${n}`, path, who, ok);
          const open = to.openPauseAt(path) !== undefined;
          const refusal = to.findRefusal(message)?.type ?? null;
          return open ? { refusal, outcome: refusal ? null : to.claim(message)?.answers['ok'] } : 'closed';
        };
        for (const [n, one] of before.entries()) tell(tracker, one, n);
        tracker.drainUnwritten(false);
        const carried = JSON.parse(JSON.stringify(tracker.carried));
        const next = new PauseTracker('dee');
        next.restore(
          carried,
          paths.map((path) => pauseOf(path, asking)),
        );
        expect(next.everPaused).toBe(true);
        for (const [n, one] of after.entries())
          expect(tell(next, one, 100 + n)).toEqual(tell(tracker, one, 100 + n));
        expect(next.drainUnwritten(true).completed).toEqual(tracker.drainUnwritten(true).completed);
      }),
    );
  });

  test('forgets the oldest of more than 500 answers, and keeps every open pause', () => {
    const tracker = given(['open', ...Array.from({ length: 600 }, (_, n) => `p${n}`)]);
    for (let n = 0; n < 600; n++) tracker.claim(answer(`res_${n}`, `p${n}`));
    expect(tracker.carried.taken.length).toBe(500);
    expect([tracker.hasTaken('res_99'), tracker.hasTaken('res_100')]).toEqual([false, true]);
    expect(Object.keys(tracker.carried.open)).toEqual(['open']);
  });
});
