import type { ICruiseResult } from 'dependency-cruiser';
import { isTestSupport } from './repository.ts';

/** One group of folders imports another. */
export interface Arrow {
  from: string;
  to: string;
  /** True when all its imports are of types alone. */
  typesOnly: boolean;
}

/** Who imports whom among the groups, without the imports of tests. */
export function arrowsBetweenGroups({ modules }: ICruiseResult): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const { source, dependencies } of modules) {
    const from = groupOf(source);
    if (!from || isTestSupport(source)) continue;
    for (const { resolved, dependencyTypes } of dependencies) {
      const to = groupOf(resolved);
      if (!to || to === from) continue;
      const arrow = arrows.get(`${from} ${to}`) ?? { from, to, typesOnly: true };
      if (!dependencyTypes.includes('type-only')) arrow.typesOnly = false;
      arrows.set(`${from} ${to}`, arrow);
    }
  }
  const name = ({ from, to }: Arrow) => `${from} ${to}`;
  return [...arrows.values()].toSorted((a, b) => (name(a) < name(b) ? -1 : 1));
}

/** The groups of the product. All import the platform, so it is left out, and so are clients and programs that measure. */
function groupOf(path: string): string | undefined {
  return /^(?:apps\/(?:api|worker)|libs\/(?:language|runs|triggers|worker|workspace|tables|knowledge)|temporal)(?=\/)/.exec(
    path,
  )?.[0];
}
