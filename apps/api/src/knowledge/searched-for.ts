import { Invalid } from '#libs/platform/errors/errors';
import type { SearchKnowledgeBody } from './knowledge.dto.ts';

const basesPerSearch = 20;

type Searched = Pick<SearchKnowledgeBody, 'knowledgeBaseIds' | 'query' | 'topK' | 'tagFilters'>;

/**
 * Reads the request of a search. Throws `Invalid` when it names no knowledge base or too many, and when it has neither a query nor
 * filters.
 */
export function searchedFor({ knowledgeBaseIds, query, topK, tagFilters }: Searched, actor: string) {
  if (knowledgeBaseIds.length < 1 || knowledgeBaseIds.length > basesPerSearch)
    throw Invalid.field('knowledgeBaseIds', `must name 1 to ${basesPerSearch} knowledge bases`, 'length');
  if (query === undefined && (tagFilters ?? []).length === 0)
    throw Invalid.field('query', 'is required where no tagFilters are given', 'required');
  return { baseIds: knowledgeBaseIds, query, topK, tagFilters, actor };
}
