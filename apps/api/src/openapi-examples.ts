import { existsSync, readFileSync } from 'node:fs';

/** One call of an operation by a test, and its answer. */
export interface OpenapiExample {
  /** The values of the parameters in the path. */
  parameters?: Record<string, string>;
  request?: unknown;
  /** The bodies of successful answers, by status. */
  responses: Record<string, unknown>;
}

export interface Examples {
  operations: Record<string, OpenapiExample>;
  refusals: Record<string, unknown>;
}

/** The committed examples. They are beside the sources and are not compiled. */
export const examplesFile = new URL(
  '../openapi-examples.json',
  import.meta.url.replace('/dist/apps/api/', '/apps/api/'),
);

/** The examples from `apps/api/test/contract.api.spec.ts`. */
export function readExamples(): Examples {
  if (!existsSync(examplesFile)) return { operations: {}, refusals: {} };
  return JSON.parse(readFileSync(examplesFile, 'utf8')) as Examples;
}
