import 'reflect-metadata';
import { Body, Controller, Post, Query } from '@nestjs/common';
import { RawBody } from './raw-input.ts';
import { refuseUncheckedInput, requireChange } from './validation.ts';

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
