import { validate } from './validate.ts';
import * as blocks from '../support/bad-definitions/blocks.ts';
import * as bodies from '../support/bad-definitions/bodies.ts';
import * as containers from '../support/bad-definitions/containers.ts';
import * as expressions from '../support/bad-definitions/expressions.ts';
import * as names from '../support/bad-definitions/names.ts';
import * as people from '../support/bad-definitions/people.ts';
import type { Row } from '../support/bad-definitions/row.ts';

const tables = [names, expressions, blocks, people, containers, bodies].flatMap((table) =>
  Object.entries(table),
);

describe.each(tables)('bad definitions: %s', (_, rows: Row[]) => {
  test.each(rows)('%s', (_wrong, definition, ...faults) => {
    const found = validate(definition).faults.map(
      ({ blockId = '-', path, code }) => `${blockId} ${path} ${code}`,
    );
    expect(found).toEqual(faults);
  });
});

test('there are more than three hundred, each another one', () => {
  const all = tables.flatMap(([, rows]) => rows.map(([, definition]) => JSON.stringify(definition)));
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(300);
});
