import { NotMapped } from './report.ts';

/** Things that the sandbox of a function block lacks, each with advice. */
const missing: [RegExp, string][] = [
  [/\brequire\b|\bimport\b/, 'It loads a module, and function blocks have none.'],
  [
    /\bawait\b|\basync\b|\bPromise\b|\.then\s*\(/,
    'It is asynchronous, and the code of a function block is not.',
  ],
  [
    /\bfetch\s*\(|\$http\b|this\.helpers|\bhelpers\./,
    'It makes calls; use an http block and give its output to the code.',
  ],
  [/\bsetTimeout\b|\bsetInterval\b/, 'It waits; use a wait block.'],
];

/** Throws NotMapped, with what to do instead, for code that needs more than the sandbox of a function block has. */
export function requireSandboxed(code: string, others: [RegExp, string][] = []): void {
  if (code.trim() === '') throw new NotMapped('It has no code.');
  for (const [pattern, sentence] of [...missing, ...others])
    if (pattern.test(code)) throw new NotMapped(sentence);
}
