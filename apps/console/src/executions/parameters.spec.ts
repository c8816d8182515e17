import { parametersOf } from './parameters.ts';

test('the parameters of a block are found in the body of a loop', () => {
  const inner = { id: 'get', params: { url: '{{ start.url }}' } };
  const definition = { blocks: [{ id: 'each', params: { count: 3 }, body: { blocks: [inner] } }] };
  expect(parametersOf(definition, 'get')).toEqual({ url: '{{ start.url }}' });
  expect(parametersOf(definition, 'each')).toEqual({ count: 3 });
  expect(parametersOf(definition, 'none')).toBeUndefined();
  expect(parametersOf(null, 'none')).toBeUndefined();
});
