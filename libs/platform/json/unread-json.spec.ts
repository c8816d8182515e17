import { toStoredJson } from '../text/whole-text.ts';
import { ExactNumber, exactJson } from './exact-json.ts';
import type { Json } from './json.ts';
import { copyJson, readAround, readString, readWhole, unread, writeJson } from './unread-json.ts';

/** Is written as it is, so it shows whether somebody has parsed it. */
const spaced = '{ "a" : 1.50 }';
const value = (): Json => ({ 2: unread('"two"'), first: unread(spaced), list: [unread('[]'), 'x'] });
const written = `{"2":"two","first":${spaced},"list":[[],"x"]}`;

describe('unread JSON', () => {
  test('an unread value is written as its text', () => {
    expect(writeJson(value())).toBe(written);
    expect(writeJson(unread(spaced))).toBe(spaced);
  });

  test('an unread value is stored as its text beside a text that is screened', () => {
    expect(toStoredJson({ odd: 'a\0', kept: unread(spaced) })).toBe(`{"odd":"a\uFFFD","kept":${spaced}}`);
  });

  test('an unread value is written beside numbers that keep their digits', () => {
    expect(exactJson({ n: new ExactNumber('1.50'), kept: unread(spaced) })).toBe(
      `{"n":1.50,"kept":${spaced}}`,
    );
  });

  test('an unread value is the value itself for any other writer', () => {
    expect(JSON.stringify(value())).toBe('{"2":"two","first":{"a":1.5},"list":[[],"x"]}');
  });

  test('an unread value stays unread in a copy', () => {
    expect(writeJson(copyJson(value()))).toBe(written);
  });

  test('an unread value stays unread where JSON is read around it', () => {
    const places: number[] = [];
    const text = toStoredJson(value(), places);
    expect(text).toBe(written);
    expect(writeJson(readAround(text, places))).toBe(written);
    expect(readWhole(readAround(text, places))).toEqual(readWhole(value()));
  });

  test('an unread value is read where somebody asks for the whole', () => {
    expect(readWhole(value())).toEqual({ 2: 'two', first: { a: 1.5 }, list: [[], 'x'] });
    expect(readString(unread('"two"'))).toBe('two');
    expect(writeJson(readString(unread(spaced)))).toBe(spaced);
  });

  test('an unread value does not leave its mark after a writer that throws', () => {
    expect(() => writeJson([unread('1'), 1n])).toThrow(TypeError);
    expect(JSON.stringify(unread('1'))).toBe('1');
  });
});
