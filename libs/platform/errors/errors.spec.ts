import { Invalid, NameTaken, NotFound } from './errors.ts';

describe('Invalid', () => {
  test('Invalid says the first fault in a sentence, and how many more there are', () => {
    const fault = new Invalid([
      { path: 'inputs.amount', message: 'must be a number', code: 'type' },
      { path: 'inputs.url', message: 'is required', code: 'required' },
    ]);
    expect(fault.message).toBe('"inputs.amount" must be a number. One more fault is in details.');
    expect(fault.details).toHaveLength(2);
  });

  test.each([
    ['name', 'must be text', '"name" must be text.'],
    ['', 'must be an object', 'The request must be an object.'],
    [
      'column',
      'the table has 200 columns, and may have no more',
      'The table has 200 columns, and may have no more.',
    ],
    ['blocks[0]', 'It is there already.', 'blocks[0]: It is there already.'],
  ])('Invalid tells the fault of %j that %s as a sentence', (path, message, said) => {
    expect(Invalid.field(path, message).message).toBe(said);
  });

  test('Invalid keeps the name of its class, so that the worker can name it to the engine', () => {
    expect(new NotFound('workflow').name).toBe('NotFound');
  });
});

describe('NameTaken', () => {
  test('NameTaken names the thing and the name, with one code', () => {
    const { message, code } = new NameTaken('knowledge base', 'Laws');
    expect([message, code]).toEqual([
      'A knowledge base named "Laws" exists already; choose another name.',
      'NAME_TAKEN',
    ]);
  });
});
