import type { EffectType } from '#libs/language/definition/blocks/registry';
import { toHostName } from '#libs/platform/egress/host-name';
import type { JsonObject } from '#libs/platform/json/json';

/** The host that an effect calls by its parameters; null for one that calls none. `enterHost` follows its redirects. */
export function findCalledHost(
  type: EffectType,
  { url, baseUrl }: JsonObject,
  { llmBaseUrl }: { llmBaseUrl: string },
): string | null {
  if (type === 'llm' || type === 'router' || type === 'evaluator') return toHost(baseUrl ?? llmBaseUrl);
  return type === 'http' || type === 'webhook' || type === 'mcp' ? toHost(url) : null;
}

/** The host of a URL; null for what is no URL. */
export const toHost = (url: unknown): string | null =>
  typeof url === 'string' && URL.canParse(url) ? toHostName(new URL(url).hostname) : null;
