import { KeyedSemaphore } from './keyed-semaphore.ts';

class Refused extends Error {}

const semaphore = (more: { waitMs?: number; waitingMax?: number } = {}) =>
  new KeyedSemaphore({ most: 2, waitMs: 60_000, refuse: () => new Refused(), ...more });

/** Work that ends when the test ends it. */
function held() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe('the work of one key', () => {
  test('the work of one key runs two at a time, and the next begins when one ends, also by an error', async () => {
    const slots = semaphore();
    const [a, b] = [held(), held()];
    const begun: string[] = [];
    const first = slots.run('k', () => a.work().then(() => Promise.reject(new Error('broken'))));
    const second = slots.run('k', b.work);
    const third = slots.run('k', async () => begun.push('third'));
    const fourth = slots.run('k', async () => begun.push('fourth'));
    await Promise.resolve();
    expect(begun).toEqual([]);
    a.end();
    await expect(first).rejects.toThrow('broken');
    await Promise.all([third, fourth]);
    expect(begun).toEqual(['third', 'fourth']);
    b.end();
    await second;
  });

  test('the work of one key does not keep the work of another key', async () => {
    const slots = semaphore();
    const [a, b] = [held(), held()];
    const both = [slots.run('loud', a.work), slots.run('loud', b.work)];
    expect(await slots.run('quiet', async () => 'served')).toBe('served');
    a.end();
    b.end();
    await Promise.all(both);
  });

  test('the work of one key is refused when it waits too long or the line is full, and then takes no place', async () => {
    const slots = semaphore({ waitMs: 20, waitingMax: 1 });
    const [a, b] = [held(), held()];
    const both = [slots.run('k', a.work), slots.run('k', b.work)];
    const late = slots.run('k', async () => 'never');
    await expect(slots.run('k', async () => 'never')).rejects.toThrow(Refused);
    await expect(late).rejects.toThrow(Refused);
    a.end();
    b.end();
    await Promise.all(both);
    expect(await slots.run('k', async () => 'served')).toBe('served');
  });
});

describe('the work of all keys', () => {
  test('the work of all keys has a bound of its own, and the keys that wait take turns', async () => {
    const slots = new KeyedSemaphore({ most: 2, all: 2, refuse: () => new Refused() });
    const gates = [held(), held()];
    const running = gates.map(({ work }) => slots.run('loud', work));
    const begun: string[] = [];
    const noted = (key: string, name: string, isUrgent = false) =>
      slots.run(key, async () => begun.push(name), { isUrgent });
    const waiting = [
      noted('loud', 'loud 3'),
      noted('loud', 'loud 4'),
      noted('quiet', 'quiet 1'),
      noted('third', 'third 1'),
      noted('quiet', 'quiet 2', true),
    ];
    expect(begun).toEqual([]);
    gates[0]?.end();
    await Promise.all([running[0], ...waiting]);
    expect(begun).toEqual(['quiet 2', 'loud 3', 'third 1', 'quiet 1', 'loud 4']);
    gates[1]?.end();
    await running[1];
  });

  test('the work of all keys leaves a place to another key when one key has a share of it', async () => {
    const slots = new KeyedSemaphore({ most: 1, all: 2, refuse: () => new Refused() });
    const gate = held();
    const first = slots.run('loud', gate.work);
    const second = slots.run('loud', async () => 'second');
    expect(await slots.run('quiet', async () => 'served')).toBe('served');
    gate.end();
    expect(await second).toBe('second');
    await first;
  });
});

describe('work that waits', () => {
  test('work that waits begins before other waiting work when it is urgent', async () => {
    const slots = new KeyedSemaphore({ most: 1, refuse: () => new Refused() });
    const a = held();
    const begun: string[] = [];
    const noted = (name: string, isUrgent: boolean) =>
      slots.run('k', async () => begun.push(name), { isUrgent });
    const first = slots.run('k', a.work);
    const all = [noted('b', false), noted('c', true), noted('d', false), noted('e', true)];
    a.end();
    await Promise.all([first, ...all]);
    expect(begun).toEqual(['c', 'e', 'b', 'd']);
  });

  test('work that waits leaves the line with the reason of its signal, and takes no place', async () => {
    const slots = new KeyedSemaphore({ most: 1, waitingMax: 1, refuse: () => new Refused() });
    const a = held();
    const given = new AbortController();
    const first = slots.run('k', a.work);
    const second = slots.run('k', async () => 'never', { signal: given.signal });
    given.abort(new Error('gave up'));
    await expect(second).rejects.toThrow('gave up');
    const third = slots.run('k', async () => 'served');
    a.end();
    await first;
    expect(await third).toBe('served');
    await expect(slots.run('k', async () => 'never', { signal: given.signal })).rejects.toThrow('gave up');
  });

  test('work that waits is refused all at once, and work that has begun goes on', async () => {
    const slots = new KeyedSemaphore({ most: 1, refuse: () => new Refused() });
    const a = held();
    const first = slots.run('k', () => a.work().then(() => 'ended'));
    const others = ['k', 'k'].map((key) => slots.run(key, async () => 'never'));
    slots.refuseWaiting(new Error('closed'));
    for (const other of others) await expect(other).rejects.toThrow('closed');
    a.end();
    expect(await first).toBe('ended');
  });
});

describe('work that takes many places', () => {
  const givenMany = () => new KeyedSemaphore({ most: 4, all: 6, refuse: () => new Refused() });

  test('work that takes many places waits until they are free, and no other work overtakes it', async () => {
    const room = givenMany();
    const [leaveA, leaveB] = [await room.enter('a', { places: 3 }), await room.enter('b', { places: 2 })];
    const order: string[] = [];
    const large = room.enter('c', { places: 4 }).then((leave) => (order.push('large'), leave));
    const small = room.enter('d', { places: 1 }).then((leave) => (order.push('small'), leave));
    leaveB();
    expect(room.tryTake('e')).toBeNull();
    leaveA();
    for (const leave of await Promise.all([large, small])) leave();
    expect(order).toEqual(['large', 'small']);
    expect(room.tryTake('e')).not.toBeNull();
  });

  test('work that takes many places lets others begin when it gives up', async () => {
    const room = givenMany();
    const leave = await room.enter('a', { places: 3 });
    const patience = new AbortController();
    const large = room.enter('b', { places: 4, signal: patience.signal });
    const small = room.enter('c', { places: 2 });
    patience.abort(new Refused());
    await expect(large).rejects.toThrow(Refused);
    (await small)();
    leave();
  });

  test('work that takes more places than its key may have gets all of those', async () => {
    const room = givenMany();
    const leave = await room.enter('a', { places: 1000 });
    expect(room.tryTake('a')).toBeNull();
    expect(room.tryTake('b')).not.toBeNull();
    leave();
  });
});

describe('work that is slow', () => {
  const slow = { most: 1, afterMs: 250, forMs: 2000 };

  /** A semaphore with its own clock. Its key `loud` has just had slow work. */
  async function afterSlowWork() {
    const clock = { ms: 0 };
    const slots = new KeyedSemaphore({
      most: 2,
      waitMs: 60_000,
      slow,
      now: () => clock.ms,
      refuse: () => new Refused(),
    });
    await slots.run('loud', async () => void (clock.ms += slow.afterMs + 1));
    return { clock, slots };
  }

  /** The number of pieces of work, of three, that begin at once. */
  async function begunAtOnce(slots: KeyedSemaphore, key: string): Promise<number> {
    let begun = 0;
    const gate = held();
    const all = [1, 2, 3].map(() => slots.run(key, () => (begun++, gate.work())));
    await Promise.resolve();
    const atOnce = begun;
    gate.end();
    await Promise.all(all);
    return atOnce;
  }

  test('work that is slow leaves its key fewer places while another key is there', async () => {
    const { slots } = await afterSlowWork();
    await slots.run('quiet', async () => undefined);
    expect(await begunAtOnce(slots, 'loud')).toBe(1);
    expect(await begunAtOnce(slots, 'quiet')).toBe(2);
  });

  test('work that is slow does not count work that may wait for a lock, and such work does not make its key slow', async () => {
    const { clock, slots } = await afterSlowWork();
    await slots.run('quiet', async () => undefined);
    const locked = held();
    const waiting = slots.run('loud', locked.work, { isPatient: true });
    expect(await slots.run('loud', async () => 'served')).toBe('served');
    locked.end();
    await waiting;
    await slots.run('patient', async () => void (clock.ms += slow.afterMs + 1), { isPatient: true });
    await slots.run('quiet', async () => undefined);
    expect(await begunAtOnce(slots, 'patient')).toBe(2);
  });

  test('work that is slow costs its key nothing while it is alone, or when it was long ago', async () => {
    const { clock, slots } = await afterSlowWork();
    expect(await begunAtOnce(slots, 'loud')).toBe(2);
    await slots.run('quiet', async () => undefined);
    expect(await begunAtOnce(slots, 'loud')).toBe(1);
    clock.ms += slow.forMs + 1;
    await slots.run('quiet', async () => undefined);
    expect(await begunAtOnce(slots, 'loud')).toBe(2);
  });
});
