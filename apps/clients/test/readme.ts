/** An example of a page: its code and its output. */
export interface Example {
  title: string;
  code: string;
  output: string;
}

/** The blocks of a page in one language, each with the `text` block behind it. Throws when one has none. */
export function parseExamples(page: string, language: string): Example[] {
  const examples: Example[] = [];
  const sections = page.split(/^## /m).slice(1);
  for (const section of sections) {
    const title = section.split('\n')[0] ?? '';
    const block = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`\n`, 'm').exec(section);
    if (!block) continue;
    const output = /^```text\n([\s\S]*?)^```$/m.exec(section.slice(block.index + block[0].length))?.[1];
    if (output === undefined) throw new Error(`The example of "${title}" does not say what it prints.`);
    examples.push({ title, code: block[1] ?? '', output });
  }
  return examples;
}
