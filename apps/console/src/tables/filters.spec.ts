import { filterOf, readConditions, readSort, sortOf, writeConditions, writeSort } from './filters.ts';
import type { TableColumn } from './cells.ts';

const column = (name: string, type: TableColumn['type']) =>
  ({ name, type, required: false, unique: false }) as TableColumn;
const columns = [column('email', 'string'), column('score', 'number'), column('isPaid', 'boolean')];

describe('the filter of a table', () => {
  test('the filter of a table joins its conditions as the person has chosen, with values of the type of the column', () => {
    const conditions = [
      { column: 'score', operator: '$gte', value: '5' },
      { column: 'isPaid', operator: '$eq', value: 'true' },
      { column: 'email', operator: '$in', value: 'ann@example.org, bob@example.org' },
    ];
    const parts = [
      { score: { $gte: 5 } },
      { isPaid: { $eq: true } },
      { email: { $in: ['ann@example.org', 'bob@example.org'] } },
    ];
    expect(filterOf(conditions, false, columns)).toEqual({ $and: parts });
    expect(filterOf(conditions, true, columns)).toEqual({ $or: parts });
  });

  test('the filter of a table keeps every digit of a number', () => {
    const value = '12345678901234567890.5';
    expect(filterOf([{ column: 'score', operator: '$eq', value }], false, columns)).toEqual({
      $and: [{ score: { $eq: value } }],
    });
  });

  test('the filter of a table ignores a condition without a value, and applies a condition that needs none', () => {
    expect(filterOf([{ column: 'email', operator: '$eq', value: '' }], false, columns)).toBeUndefined();
    expect(filterOf([{ column: 'email', operator: '$filled', value: '' }], false, columns)).toEqual({
      $and: [{ email: { $empty: false } }],
    });
  });

  test('the filter of a table comes back unchanged from the address, and ignores mistyped parts', () => {
    const conditions = [{ column: 'email', operator: '$contains', value: 'a,"b"' }];
    expect(readConditions(writeConditions(conditions))).toEqual(conditions);
    expect(readConditions('{"no')).toEqual([]);
    expect(readConditions('[1,["email","$eq",2]]')).toEqual([]);
    const keys = [
      { column: 'score', isDown: true },
      { column: 'email', isDown: false },
    ];
    expect(readSort(writeSort(keys))).toEqual(keys);
    expect(Object.entries(sortOf(keys) ?? {})).toEqual([
      ['score', 'desc'],
      ['email', 'asc'],
    ]);
  });
});
