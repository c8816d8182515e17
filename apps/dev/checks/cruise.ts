import { join } from 'node:path';
import { cruise, type ICruiseResult, type IRegularForbiddenRuleType } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { checkout } from './repository.ts';

const rules = await extractDepcruiseConfig(join(checkout, 'apps/dev/dependency-rules.mjs'));
const tsConfig = extractTSConfig(join(checkout, 'tsconfig.json'));

/** The rules, all of which are of the one kind that says `from` and `to`. */
export const forbidden = (rules.forbidden ?? []) as IRegularForbiddenRuleType[];

/** Follows every import below the folders, type-only and dynamic ones included, and tells which of them a rule refuses. */
export async function cruiseUnder(
  ruleSet: IRegularForbiddenRuleType[],
  { folders = ['apps', 'libs', 'temporal'], baseDir = checkout } = {},
): Promise<ICruiseResult> {
  const { enhancedResolveOptions, ...options } = rules.options ?? {};
  const { output } = await cruise(
    folders,
    { ...options, baseDir, validate: true, ruleSet: { forbidden: ruleSet } },
    enhancedResolveOptions,
    { tsConfig },
  );
  if (typeof output === 'string') throw new Error(output);
  return output;
}
