import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { methodNames } from '../clients/src/method-names.ts';

interface Described {
  paths: Record<string, Record<string, { operationId: string; parameters?: { in: string; name: string }[] }>>;
}

const id = 'virtual:operations';

/**
 * Gives the pages the verb, path and method of each operation, from the description of the API, so that they can show a
 * call.
 */
export function operations(checkout: string): Plugin {
  return {
    name: 'operations',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return undefined;
      const file = join(checkout, 'apps/api/openapi.json');
      this.addWatchFile(file);
      return `export const operations = ${JSON.stringify(readOperations(file))}`;
    },
  };
}

function readOperations(file: string) {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Described;
  const all = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, { operationId, parameters = [] }]) => {
      const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
      return [operationId, { verb: verb.toUpperCase(), path, query, method: methodNames[operationId] }];
    }),
  );
  return Object.fromEntries(all) as Record<string, unknown>;
}
