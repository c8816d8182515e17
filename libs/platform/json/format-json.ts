const lineMax = 160;

/** Formats JSON for a committed file: what fits into one line stands in one line, so that a change shows and nothing is drawn out. */
export function formatJson(value: unknown): string {
  return `${format(JSON.parse(JSON.stringify(value)), '')}\n`;
}

function format(value: unknown, indent: string): string {
  // A text has no raw ends of lines, so only those between members are replaced.
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + line.length <= lineMax) return line;
  const inner = `${indent}  `;
  const [begin, end] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map((one) => format(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${format(one, inner)}`);
  return `${begin}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${end}`;
}
