import { readdirSync, readFileSync } from 'node:fs';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  Runtime,
  Worker,
  type ReplayWorkerOptions,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { scenarios } from './scenarios.ts';
import { formatHistory } from './scrub.ts';

const folder = 'temporal/histories';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const code = readFileSync('dist/temporal/workflows.bundle.js', 'utf8');
const today: ReplayWorkerOptions = { workflowBundle: { code } };

/** Every history of every version, as `v0.1.0/pure`. */
const histories = readdirSync(folder).flatMap((release) =>
  readdirSync(`${folder}/${release}`).map((file) => `${release}/${file.replace('.json', '')}`),
);
const textOf = (name: string) => readFileSync(`${folder}/${name}.json`, 'utf8');
const replay = (name: string, options = today, text = textOf(name)) =>
  Worker.runReplayHistory(options, JSON.parse(text), name);

// The core logs an expected warning for each of the changes below.
const logging = { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) };
beforeAll(() =>
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } }),
);

describe('the workflow code', () => {
  test.each(histories)('the workflow code replays the history %s', async (name) => {
    await expect(replay(name)).resolves.toBeUndefined();
  });

  test('the workflow code has a history of each behaviour for the current version', () => {
    const recorded = histories.filter((name) => name.startsWith(`v${version}/`));
    expect(recorded.toSorted()).toEqual(
      Object.keys(scenarios)
        .map((name) => `v${version}/${name}`)
        .toSorted(),
    );
  });
});

/** The workflow code with one change. The changed text must exist in the bundle. */
function changed(from: string, to: string): ReplayWorkerOptions {
  const other = code.replaceAll(from, to);
  if (other === code) throw new Error(`The bundle does not hold ${from} any more. Change another place.`);
  return { workflowBundle: { code: other } };
}

describe('a change that would break runs under way', () => {
  const current = (name: string) => `v${version}/${name}`;

  test.each([
    ['an activity has another id', 'retried', '`${path}#', '`x${path}#'],
    ['the rows are asked by another activity', 'retried', 'activities.advance(', 'activities.ask('],
    ['a document is shown before it is embedded', 'document', 'await embedDocument(key);', 'void 0;'],
    ['an import is told to have failed', 'import', 'await importRows(key);', 'await failImport(key, "");'],
  ])('a change that would break runs under way is found: %s', async (_, name, from, to) => {
    await expect(replay(current(name), changed(from, to))).rejects.toThrow(DeterminismViolationError);
  });
});

describe('the histories', () => {
  test.each(histories)('the histories have one event a line: %s', (name) => {
    expect(textOf(name)).toBe(formatHistory(JSON.parse(textOf(name))));
  });

  const strings = (value: unknown): string[] => {
    if (typeof value === 'string') return [value, Buffer.from(value, 'base64').toString('utf8')];
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
  };

  test.each(histories)('the histories do not name the machine that recorded them: %s', (name) => {
    const telling = /^\d+@|\/(home|root|tmp|Users|var)\/|https?:\/\/(?!localhost|127\.0\.0\.1)|\.(ts|js):\d+/;
    expect(strings(JSON.parse(textOf(name))).filter((text) => telling.test(text))).toEqual([]);
  });
});
