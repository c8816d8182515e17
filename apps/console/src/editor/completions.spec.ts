import { completionsAt } from './completions.ts';
import type { Schema } from './schema.ts';

const block = (type: string, params: Schema): Schema => ({
  type: 'object',
  properties: { id: { type: 'string' }, type: { enum: [type] }, params },
  required: ['id', 'type'],
});
const schema: Schema = {
  type: 'object',
  properties: {
    blocks: {
      type: 'array',
      items: {
        oneOf: [
          block('http', {
            type: 'object',
            properties: { url: { type: 'string' }, method: { enum: ['GET', 'POST'] } },
            required: ['url'],
          }),
          block('wait', { type: 'object', properties: { duration: { type: 'string' } } }),
        ],
      },
    },
    edges: {
      type: 'array',
      items: { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } },
    },
  },
};
/** The cursor stands at the bar. */
const labelsAt = (marked: string) =>
  completionsAt(marked.replace('|', ''), marked.indexOf('|'), schema)?.list.map(({ label }) => label);

describe('completion', () => {
  test('the completion offers the parameters of the type that the block names', () => {
    expect(labelsAt('{"blocks":[{"type":"http","params":{"|"}}]}')).toEqual(['url', 'method']);
    expect(labelsAt('{"blocks":[{"type":"wait","params":{"|"}}]}')).toEqual(['duration']);
  });

  test('the completion offers all types of blocks', () => {
    expect(labelsAt('{"blocks":[{"type":"|"}]}')).toEqual(['http', 'wait']);
  });

  test('the completion offers the values of a list', () => {
    expect(labelsAt('{"blocks":[{"type":"http","params":{"method":"|"}}]}')).toEqual(['GET', 'POST']);
  });

  test('the completion offers the ids of blocks to an edge, and the start as a begin', () => {
    const text = '{"blocks":[{"id":"a"},{"id":"b"}],"edges":[{"from":"|"}]}';
    expect(labelsAt(text)).toEqual(['start', 'a', 'b']);
  });

  test('the completion leaves out members that are there', () => {
    expect(labelsAt('{"blocks":[{"type":"http","params":{"url":"x","|"}}]}')).toEqual(['method']);
  });
});
