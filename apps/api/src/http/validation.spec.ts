import 'reflect-metadata';
import { Body, Controller, Post, Query } from '@nestjs/common';
import { RawBody } from './raw-input.ts';
import { Int, ListOf, Obj, One, Text } from './fields.ts';
import { readShape, refuseUncheckedInput, requireChange } from './validation.ts';

class NameBody {
  name?: string;
}

@Controller()
class Handlers {
  @Post()
  checked(@Body() body: NameBody, @Query('wait') wait: unknown): unknown {
    return [body, wait];
  }
  @Post()
  raw(@RawBody() body: unknown): unknown {
    return body;
  }
  @Post()
  union(@Body() body: NameBody | undefined): unknown {
    return body;
  }
  @Post()
  list(@Body() body: NameBody[]): unknown {
    return body;
  }
  @Post()
  unknownQuery(@Query() query: { name?: string }): unknown {
    return query;
  }
}

describe('input of a handler', () => {
  const refuse = (method: string) => () => refuseUncheckedInput('Handlers', Handlers.prototype, method);

  test.each(['checked', 'raw'])('input of a handler passes with a class or as a raw input: %s', (method) => {
    expect(refuse(method)).not.toThrow();
  });

  test.each([
    ['union', 'body'],
    ['list', 'body'],
    ['unknownQuery', 'query'],
  ])('the boot stops for %s, whose %s has no class at run time', (method, input) => {
    expect(refuse(method)).toThrow(`Handlers.${method} takes a ${input} without a class`);
  });
});

describe('a shape', () => {
  class Inner {
    @Text({ min: 1, max: 5 }) name!: string;
  }
  class Outer {
    @One(() => Inner, { optional: true }) one?: Inner;
    @ListOf(() => Inner, { optional: true }) many?: Inner[];
    @Int({ optional: true, min: 1, max: 9, query: true }) count?: number;
    @Obj({ optional: true }) any?: object;
  }

  test('a shape gives an instance with instances in its fields, and reads a number that arrives as text', async () => {
    const any = { deep: { a: 1 } };
    const read = await readShape(Outer, { one: { name: 'a' }, many: [{ name: 'b' }], count: '3', any });
    expect(read).toBeInstanceOf(Outer);
    expect([read.one, read.many?.[0]]).toEqual([expect.any(Inner), expect.any(Inner)]);
    expect([read.count, read.any]).toEqual([3, any]);
  });

  test('a shape takes no body for an empty one', async () => {
    expect(await readShape(Outer, undefined)).toEqual(new Outer());
  });

  test.each<[string[], unknown]>([
    [[''], []],
    [[''], 'text'],
    [['count', 'other'], { other: 1, count: 10 }],
    [['many', 'one'], { one: [], many: {} }],
    [['one.more', 'one.name'], { one: { name: '', more: 1 } }],
    [['many.1.name', 'many.2'], { many: [{ name: 'a' }, { name: 7 }, null] }],
    [['__proto__'], JSON.parse('{"__proto__":{"count":1}}')],
    [['constructor'], { constructor: {} }],
    [['one.toString'], { one: { name: 'a', toString: 1 } }],
    [['many'], { many: Array.from({ length: 10_001 }, () => ({})) }],
  ])('a shape that refuses a body names the fields %j', async (paths, body) => {
    const error = await readShape(Outer, body).catch((thrown: unknown) => thrown);
    const details = Object(error).details as { path: string }[];
    expect([...new Set(details.map(({ path }) => path))].toSorted()).toEqual(paths);
  });
});

describe('an unknown field', () => {
  class Inner {
    @Text({ min: 1, max: 5 }) name!: string;
    @Int({ optional: true, min: 1, max: 9 }) count?: number;
  }
  class Outer {
    @One(() => Inner, { optional: true }) one?: Inner;
    @ListOf(() => Inner, { optional: true }) many?: Inner[];
  }

  test.each([
    [{ two: 1 }, 'one, many'],
    [{ one: { name: 'a', nmae: 'b' } }, 'name, count'],
    [{ many: [{ name: 'a', nmae: 'b' }] }, 'name, count'],
    [{ one: { constructor: 1 } }, 'name, count'],
  ])('an unknown field in %j is refused with the fields that are known there', async (body, known) => {
    await expect(readShape(Outer, body)).rejects.toThrow(`is not a field of this request. Known: ${known}.`);
  });
});

describe('a change', () => {
  test('a change without a field is refused with the names of the fields', () => {
    expect(() => requireChange<{ a?: number; b?: number }>({}, ['a', 'b'])).toThrow(
      'The request must name what is to change: a or b.',
    );
  });

  test('a change with one field passes', () => {
    expect(() => requireChange({ a: null }, ['a'])).not.toThrow();
  });
});
