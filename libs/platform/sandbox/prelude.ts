/**
 * Code that runs in QuickJS before the user's code. It keeps its own references to the built-ins. It is for convenience, not for
 * security: the user's code may change all of it, and still only produces a string that the parent parses as JSON.
 */
export const prelude = String.raw`(function (log) {
  'use strict';
  const { parse, stringify } = JSON;
  const { Array, Map, WeakMap, Date, Error, Number, String, TypeError } = globalThis;
  const { getOwnPropertyNames, getPrototypeOf } = Object;
  // JSON holds these by their members or values, and the names of all other built-ins say what it cannot hold.
  const held = /^(?:Object|Array|Boolean|String|Number|Date|\w*Error)$/;
  const closed = new Map([
    [Promise.prototype, 'a Promise that is not awaited'],
    [getPrototypeOf((async function* () {}).prototype), 'an AsyncIterator'],
  ]);
  for (const name of getOwnPropertyNames(globalThis)) {
    const { prototype } = Object(globalThis[name]);
    if (prototype && !held.test(name) && !closed.has(prototype)) closed.set(prototype, (/^[AEI]/.test(name) ? 'an ' : 'a ') + name);
  }
  let refusal = '';
  let copies;

  function show(value) {
    if (typeof value !== 'object' || value === null) return String(value);
    if (typeof value.stack === 'string') return value.name + ': ' + value.message;
    try {
      const text = write(value, shown);
      return text === undefined ? String(value) : text;
    } catch {
      return String(value);
    }
  }

  function shown(key, value) {
    const given = getGiven(this, key, value);
    const isShown = typeof given === 'function' || (typeof given === 'number' && given - given === 0) || kindOf(given) === '';
    return isShown ? plain(value) : String(given);
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

  // A Date that is none says by toJSON that it is null.
  function getGiven(holder, key, value) {
    const given = value === null ? holder[key] : value;
    return given instanceof Date ? given : value;
  }

  function kindOf(value) {
    if (typeof value === 'number' && !(value - value === 0)) return String(value);
    // From 1e21 on, JSON shows by an exponent that a number is no list of digits.
    const size = typeof value === 'number' ? (value < 0 ? -value : value) : 0;
    if (size > 9007199254740991 && size < 1e21) return 'a whole number beyond 2^53, which loses digits unless it is text';
    if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return 'a ' + typeof value;
    if (typeof value !== 'object' || value === null) return '';
    if (value instanceof Number) return kindOf(+value);
    if (value instanceof Date) return value - value === 0 ? '' : 'an invalid Date';
    for (let one = getPrototypeOf(value); one; one = getPrototypeOf(one)) {
      const kind = closed.get(one);
      if (kind) return kind;
    }
    return '';
  }

  function write(value, replacer) {
    copies = new WeakMap();
    return stringify(value, replacer);
  }

  // An error has one copy, so that JSON recognises a circle.
  function plain(value) {
    if (value instanceof Date) return value.toISOString();
    if (!(value instanceof Error)) return value;
    let copy = copies.get(value);
    if (copy) return copy;
    copies.set(value, (copy = { name: value.name, message: value.message }));
    for (const name of getOwnPropertyNames(value)) if (name !== 'stack') copy[name] = value[name];
    return copy;
  }

  function checked(key, value) {
    const kind = kindOf(getGiven(this, key, value));
    if (kind === '') return plain(value);
    refusal = (key === '' ? 'The result is ' : 'The result holds under "' + cut(String(key), 80) + '" ') + kind + (kind.endsWith('text') ? '.' : ', which JSON cannot hold.');
    throw new TypeError(refusal);
  }

  // Refuses what QuickJS ignores, because a text would be wrong in silence.
  function refuse(name, advice) {
    throw new TypeError(name + ' knows no such locale and no options in a function: ' + advice + '.');
  }

  function guard({ prototype }, name, advice, others) {
    const plain = prototype[name];
    prototype[name] = function (locale, options) {
      if (locale === undefined && options === undefined) return plain.call(this);
      // Lets other languages pass, because their upper and lower case is that of Unicode.
      if (others && !others.includes(String(locale).split('-', 1)[0].toLowerCase())) return plain.call(this);
      refuse(name, advice);
    };
  }

  for (const type of [Number, BigInt]) guard(type, 'toLocaleString', 'toFixed() or toString() gives the digits, and your code the separators and the currency');
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
    guard(Date, name, 'toISOString() and getUTCHours() give the parts in UTC, and your code their order');
  const letters = 'replace the letters that differ, such as i by \u0130, and leave out the locale';
  guard(String, 'toLocaleLowerCase', letters, ['az', 'aze', 'lit', 'lt', 'tr', 'tur']);
  guard(String, 'toLocaleUpperCase', letters, ['az', 'aze', 'el', 'ell', 'gre', 'lit', 'lt', 'tr', 'tur']);

  const { localeCompare } = String.prototype;
  String.prototype.localeCompare = function (that, locale, options) {
    if (locale === undefined && options === undefined) return localeCompare.call(this, that);
    refuse('localeCompare', 'compare what your code makes of the texts, such as a.toLowerCase() < b.toLowerCase() or a number');
  };

  for (const { prototype } of [Array, getPrototypeOf(Uint8Array)]) {
    const { toLocaleString } = prototype;
    prototype.toLocaleString = function (locale, options) {
      if (locale === undefined && options === undefined) return toLocaleString.call(this);
      return Array.from(this, (one) => (one === undefined || one === null ? '' : one.toLocaleString(locale, options))).join();
    };
  }

  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };
  return {
    parse,
    output: (value) => write(value === undefined ? null : value, checked),
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
