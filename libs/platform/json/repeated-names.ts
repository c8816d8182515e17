/** Numbers that a scan of JSON text finds without a parser. */
export interface Outline {
  /** The depth of its nesting. */
  depth: number;
  /** The number of members of all objects. The parsed value has fewer members when an object has a name twice. */
  members: number;
  /** The number of values in it: the members of all objects and the items of all lists, and each empty list or object. */
  values: number;
}

/** Counts brackets, commas and colons outside of strings. The text need not be well-formed. */
export function scanOutline(bytes: Uint8Array): Outline {
  let [level, depth, members, values] = [0, 0, 0, 0];
  let quoted = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (quoted) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x3a) members++;
    else if (byte === 0x2c) values++;
    else if (byte === 0x7b || byte === 0x5b) {
      values++;
      if (++level > depth) depth = level;
    } else if (byte === 0x7d || byte === 0x5d) level--;
  }
  return { depth, members, values };
}

/** The dotted path of the first repeated name in an object; undefined when there is none. The text must be well-formed. */
export function repeatedName(text: string): string | undefined {
  const levels: { names: Set<string> | null; at: string | number }[] = [];
  let [start, end] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const level = levels.at(-1);
    const char = text[i];
    if (char === '"') {
      [start, end] = [i, endOfString(text, i)];
      i = end;
    } else if (char === '{') levels.push({ names: new Set(), at: '' });
    else if (char === '[') levels.push({ names: null, at: 0 });
    else if (char === '}' || char === ']') levels.pop();
    else if (char === ',' && typeof level?.at === 'number') level.at++;
    else if (char === ':' && level?.names) {
      level.at = String(JSON.parse(text.slice(start, end + 1)));
      if (level.names.has(level.at)) return levels.map(({ at }) => at).join('.');
      level.names.add(level.at);
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '"') return i;
  }
  return text.length;
}
