import type { Json } from '#libs/platform/json/json';
import { toRequestBody } from './request-body.ts';

const form = 'application/x-www-form-urlencoded';

test.each<[Json, string]>([
  [{ a: 'x&y=z+1%2 ~*', b: 'ü👍' }, 'a=x%26y%3Dz%2B1%252+%7E*&b=%C3%BC%F0%9F%91%8D'],
  [
    { n: 1, big: '9007199254740993', half: 0.5, no: false, yes: true },
    'n=1&big=9007199254740993&half=0.5&no=false&yes=true',
  ],
  [
    { tag: ['a', 'b c', 3, true, null], none: null, empty: '', list: [] },
    'tag=a&tag=b+c&tag=3&tag=true&empty=',
  ],
  [{ 'metadata[order id]': '7', 'a&b': '1' }, 'metadata%5Border+id%5D=7&a%26b=1'],
  [{}, ''],
])('the object %j is sent as a form', (body, sent) => {
  for (const type of [form, `${form}; charset=utf-8`, `${form.toUpperCase()} ;x=1`])
    expect(toRequestBody(body, type)).toEqual({ body: sent });
});

test.each<[Json, RegExp]>([
  [{ a: '1', metadata: { order: '7' } }, /^body\.metadata: .*"metadata\[id\]"/],
  [{ items: ['a', { id: 1 }] }, /^body\.items: /],
  [{ items: [['a']] }, /^body\.items: /],
  [['a', 'b'], /^body: A form/],
])('the body %j is refused as a form by its field', (body, message) => {
  expect(() => toRequestBody(body, form)).toThrow(
    expect.objectContaining({ type: 'INVALID_VALUE', message: expect.stringMatching(message) }),
  );
});

test.each([form, 'multipart/form-data; boundary=x', 'application/json', undefined])(
  'a text is sent as it is with the type %s',
  (type) => expect(toRequestBody('a=1&b=%2f+', type)).toMatchObject({ body: 'a=1&b=%2f+' }),
);

test.each(['application/json', 'application/x-www-form-urlencoded-not', 'text/plain', undefined])(
  'an object is JSON with the type %s',
  (type) => expect(toRequestBody({ a: [1] }, type)).toEqual({ body: '{"a":[1]}', type: 'application/json' }),
);

test('an object is refused as multipart, whose parts nobody wrote', () => {
  expect(() => toRequestBody({ a: 1 }, 'Multipart/Form-Data; boundary=x')).toThrow(
    'body: A multipart/form-data body must be a text with its parts.',
  );
});

test.each([undefined, null])('a body of %s is none', (body) => {
  expect(toRequestBody(body, form)).toEqual({});
});
