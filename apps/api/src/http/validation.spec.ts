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

  test.each(['checked', 'raw'])('passes with a class or as a raw input: %s', (method) => {
    expect(refuse(method)).not.toThrow();
  });

  test.each([
    ['union', 'body'],
    ['list', 'body'],
    ['unknownQuery', 'query'],
  ])('stops the boot for %s, whose %s has no class at run time', (method, input) => {
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

  test.each<[unknown, string[]]>([
    [[], ['']],
    ['text', ['']],
    [{ other: 1, count: 10 }, ['count', 'other']],
    [{ one: [], many: {} }, ['many', 'one']],
    [{ one: { name: '', more: 1 } }, ['one.more', 'one.name']],
    [{ many: [{ name: 'a' }, { name: 7 }, null] }, ['many.1.name', 'many.2']],
    [JSON.parse('{"__proto__":{"count":1}}'), ['__proto__']],
    [{ constructor: {} }, ['constructor']],
    [{ one: { name: 'a', toString: 1 } }, ['one.toString']],
    [{ many: Array.from({ length: 10_001 }, () => ({})) }, ['many']],
  ])('refuses %.60j and names the fields %j', async (body, paths) => {
    const error = await readShape(Outer, body).catch((thrown: unknown) => thrown);
    const details = Object(error).details as { path: string }[];
    expect([...new Set(details.map(({ path }) => path))].toSorted()).toEqual(paths);
  });
});

describe('a change', () => {
  test('without a field is refused with the names of the fields', () => {
    expect(() => requireChange<{ a?: number; b?: number }>({}, ['a', 'b'])).toThrow(
      'The request must name what is to change: a or b.',
    );
  });

  test('with one field passes', () => {
    expect(() => requireChange({ a: null }, ['a'])).not.toThrow();
  });
});
