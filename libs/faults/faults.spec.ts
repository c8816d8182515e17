import { Invalid, NotFound } from '#libs/faults/faults';

describe('Invalid', () => {
  test('says the first fault in its message, and how many more there are', () => {
    const fault = new Invalid([
      { path: 'inputs.amount', message: 'must be a number', code: 'type' },
      { path: 'inputs.url', message: 'is required', code: 'required' },
    ]);
    expect(fault.message).toBe('inputs.amount: must be a number (and 1 more)');
    expect(fault.details).toHaveLength(2);
  });

  test('keeps the name of its class, so that the worker can name it to the engine', () => {
    expect(new NotFound('workflow').name).toBe('NotFound');
  });
});
