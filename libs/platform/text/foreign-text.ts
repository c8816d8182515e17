/** Bytes at the beginning of a document that may name its encoding. */
const headBytes = 1024;

/**
 * Returns the text of bytes that others sent. A byte order mark decides the encoding and is dropped. Without a mark the
 * charset of the content type decides, then the declaration of an XML or HTML document, then UTF-8. Bytes that are no
 * UTF-8 are read as windows-1252, where every byte is a character.
 */
export function foreignText(bytes: Uint8Array, contentType = ''): string {
  const label = detectMark(bytes) ?? parseCharset(contentType) ?? declaredIn(bytes, contentType);
  return decoded(bytes, label) ?? utf8(bytes) ?? decodeAs('windows-1252', bytes);
}

/** The encoding that a byte order mark names. */
export function detectMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** Decodes bytes by the name of their encoding. Throws for a name that the platform does not know. */
export function decodeAs(label: string, bytes: Uint8Array): string {
  const decoder = new TextDecoder(label);
  // In one go, Node 20 reads windows-1252 as Latin-1, which has no euro sign.
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

/** The text of bytes that are UTF-8 without a fault; undefined for others. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const textual = [
  /^(?:text|message)\//,
  /[/+.-](?:json|xml|yaml|yml|toml|csv|text|html|javascript|ecmascript|typescript)$/,
  /^application\/(?:x-)?(?:ndjson|jsonl?|jsonlines|json-lines|json-seq|json5|sh|sql|graphql|www-form-urlencoded)$/,
];

/** True for a media type whose content is text: one without a type too, and each with a charset. */
export function isTextual(contentType: string): boolean {
  const type = parseMediaType(contentType);
  return type === '' || textual.some((one) => one.test(type)) || parseCharset(contentType) !== undefined;
}

/** True for a media type whose content is one JSON value. */
export function isJsonType(contentType: string): boolean {
  // Servers of Spring send lines of JSON as `stream+json`.
  return /(?<!\/stream\+)(?<=[/+])json$/.test(parseMediaType(contentType));
}

export function parseMediaType(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

export function parseCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s"';,]+)/i.exec(contentType)?.[1];
}

function declaredIn(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/xml|html/i.test(contentType)) return undefined;
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, headBytes));
  return (
    /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/.exec(head)?.[1] ??
    /\bcharset\s*=\s*["']?([\w.:-]+)/i.exec(head)?.[1]
  );
}

function decoded(bytes: Uint8Array, label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  try {
    return decodeAs(label, bytes);
  } catch {
    // The label is of no encoding that the decoder knows.
    return undefined;
  }
}
