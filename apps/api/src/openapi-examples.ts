import { existsSync, readFileSync } from 'node:fs';

/** One call of an operation as a test made it, and what came back. */
export interface Example {
  /** The values of the parameters in the path. */
  parameters?: Record<string, string>;
  request?: unknown;
  /** The bodies of the successes, by their status. */
  responses: Record<string, unknown>;
}

export interface Examples {
  operations: Record<string, Example>;
  /** One refusal of each status. */
  refusals: Record<string, unknown>;
}

/** The committed examples, which stand beside the sources and are not compiled. */
export const examplesFile = new URL(
  '../openapi-examples.json',
  import.meta.url.replace('/dist/apps/api/', '/apps/api/'),
);

/** What `apps/api/test/contract.api.spec.ts` has obtained. */
export function readExamples(): Examples {
  if (!existsSync(examplesFile)) return { operations: {}, refusals: {} };
  return JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples;
}
