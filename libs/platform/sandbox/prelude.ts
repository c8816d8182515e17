/**
 * Code that runs in QuickJS before the user's code. It keeps its own references to the built-ins. It is for convenience, not for
 * security: the user's code may change all of it, and still only produces a string that the parent parses as JSON.
 */
export const prelude = String.raw`(function (log) {
  'use strict';
  const { parse, stringify } = JSON;
  const { Map, Set, WeakMap, WeakSet, RegExp, String, TypeError } = globalThis;
  const closed = [[Map, 'a Map'], [Set, 'a Set'], [WeakMap, 'a WeakMap'], [WeakSet, 'a WeakSet'], [RegExp, 'a RegExp']];
  let refusal = '';

  function show(value) {
    if (typeof value === 'string') return value;
    if (typeof value === 'object' && value !== null && typeof value.stack === 'string') return value.name + ': ' + value.message;
    try {
      const text = stringify(value);
      return text === undefined ? String(value) : text;
    } catch {
      return String(value);
    }
  }

  function cut(text, most) {
    const last = text.charCodeAt(most - 1);
    return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
  }

  function print(...values) {
    let line = '';
    for (let at = 0; at < values.length; at++) line += (at ? ' ' : '') + show(values[at]);
    log(line);
  }

  function kindOf(value) {
    if (typeof value === 'number' && !(value - value === 0)) return String(value);
    // From 1e21 on, JSON shows by an exponent that a number is no list of digits.
    const size = typeof value === 'number' ? (value < 0 ? -value : value) : 0;
    if (size > 9007199254740991 && size < 1e21) return 'a whole number beyond 2^53, which loses digits unless it is text';
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return 'a ' + typeof value;
    if (typeof value === 'object' && value !== null) {
      for (let at = 0; at < closed.length; at++) if (value instanceof closed[at][0]) return closed[at][1];
    }
    return '';
  }

  function checked(key, value) {
    const kind = kindOf(value);
    if (kind === '') return value;
    refusal = (key === '' ? 'The result is ' : 'The result holds under "' + cut(String(key), 80) + '" ') + kind + (typeof value === 'number' && value - value === 0 ? '.' : ', which JSON cannot hold.');
    throw new TypeError(refusal);
  }

  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };
  return {
    parse,
    output: (value) => stringify(value === undefined ? null : value, checked),
    refusal: () => refusal,
    describe: (error) => {
      const whole = typeof error === 'object' && error !== null && typeof error.message === 'string';
      return stringify({
        name: whole ? cut(String(error.name), 100) : '',
        message: cut(whole ? error.message : show(error), 2000),
        stack: whole ? cut(String(error.stack), 4000) : '',
      });
    },
  };
})`;
