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

  test.each(['checked', 'raw'])('with a class or taken raw on purpose passes: %s', (method) => {
    expect(refuse(method)).not.toThrow();
  });

  test.each([
    ['union', 'body'],
    ['list', 'body'],
    ['unknownQuery', 'query'],
  ])('of %s, whose %s has no class while the program runs, stops the boot', (method, input) => {
    expect(refuse(method)).toThrow(`Handlers.${method} takes a ${input} without a class`);
  });
});

describe('a change', () => {
  test('that names no field is refused with the fields that it may name', () => {
    expect(() => requireChange<{ a?: number; b?: number }>({}, ['a', 'b'])).toThrow(
      'The request must name what is to change: a or b.',
    );
  });

  test('that names one field passes', () => {
    expect(() => requireChange({ a: null }, ['a'])).not.toThrow();
  });
});
