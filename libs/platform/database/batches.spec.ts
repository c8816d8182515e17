import { batchLoader } from './batch-loader.ts';

/** A batch loader that records its queries. Each query waits until the test answers it. */
function given() {
  const questions: { keys: string[]; answer(): void; fail(error: Error): void }[] = [];
  const ask = batchLoader(
    (keys) =>
      new Promise<Map<string, string>>((resolve, reject) =>
        questions.push({
          keys,
          answer: () => resolve(new Map(keys.map((key) => [key, `of ${key}`]))),
          fail: reject,
        }),
      ),
  );
  const asked = async (count: number) => {
    while (questions.length < count) await new Promise((resolve) => setImmediate(resolve));
    return questions.map(({ keys }) => keys);
  };
  return { ask, questions, asked };
}

describe('inBatches', () => {
  test('inBatches asks once for all questions of one turn of the event loop, though each caller runs before the next', async () => {
    const { ask, questions, asked } = given();
    const first = ask('a');
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const second = ask('b');
    expect(await asked(1)).toEqual([['a', 'b']]);
    questions[0]?.answer();
    expect(await Promise.all([first, second])).toEqual(['of a', 'of b']);
  });

  test('inBatches asks one query at a time, with all questions that came meanwhile', async () => {
    const { ask, questions, asked } = given();
    const first = ask('a');
    expect(await asked(1)).toEqual([['a']]);
    const rest = [ask('b'), ask('c')];
    questions[0]?.answer();
    await first;
    expect(await asked(2)).toEqual([['a'], ['b', 'c']]);
    questions[1]?.answer();
    expect(await Promise.all(rest)).toEqual(['of b', 'of c']);
  });

  test('inBatches tells a failure to its callers, and goes on with the next query', async () => {
    const { ask, questions, asked } = given();
    const first = ask('a').catch(String);
    await asked(1);
    const second = ask('b');
    questions[0]?.fail(new Error('away'));
    expect(await first).toBe('Error: away');
    await asked(2);
    questions[1]?.answer();
    expect(await second).toBe('of b');
  });
});
