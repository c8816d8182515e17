import { KeyedSemaphore } from './keyed-semaphore.ts';

class Refused extends Error {}

const semaphore = (more: { waitMs?: number; waitingMax?: number } = {}) =>
  new KeyedSemaphore({ most: 2, waitMs: 60_000, refuse: () => new Refused(), ...more });

/** Work that ends when it is told to. */
function held() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { work: () => ended, end };
}

describe('the work of one key', () => {
  test('runs two at a time, and the next begins when one ends, also by an error', async () => {
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

  test('does not keep the work of another key', async () => {
    const slots = semaphore();
    const [a, b] = [held(), held()];
    const both = [slots.run('loud', a.work), slots.run('loud', b.work)];
    expect(await slots.run('quiet', async () => 'served')).toBe('served');
    a.end();
    b.end();
    await Promise.all(both);
  });

  test('is refused when it waits too long or the line is full, and then takes no place', async () => {
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
