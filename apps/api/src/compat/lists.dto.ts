import { tagFiltersMax } from '#libs/knowledge/search/tag-filters';
import { levels } from '#libs/runs/history/filters';
import { Anything, Bool, Int, ListOf, Num, OneOf, Text, Time } from '../http/fields.ts';
import { WorkspaceId } from '../http/workspace-query.ts';
import { TagFilterBody } from '../knowledge/knowledge.dto.ts';

class CompatPageQuery {
  @WorkspaceId({ required: true }) workspaceId!: string;
  @Text({ optional: true, max: 1000 }) cursor?: string;
}

/** Deleted things are gone in this product, so nothing is ever archived. */
class ScopedQuery extends CompatPageQuery {
  @OneOf(['active', 'archived'], { optional: true }) scope: string = 'active';
  @Text({ optional: true, max: 200 }) folderPath?: string;
  @Text({ optional: true, max: 200 }) search?: string;
  @OneOf(['asc'], { optional: true }) sortOrder?: string;
}

export class ForeignWorkflowsQuery extends ScopedQuery {
  @Int({ query: true, optional: true, min: 1, max: 100 }) limit: number = 50;
  @Bool({ query: true, optional: true }) deployedOnly: boolean = false;
  @OneOf(['position', 'createdAt'], { optional: true }) sortBy?: string;
}

export class ForeignTablesQuery extends ScopedQuery {
  @Int({ query: true, optional: true, min: 1, max: 1000 }) limit: number = 100;
  @OneOf(['createdAt'], { optional: true }) sortBy?: string;
}

export class ForeignLogsQuery extends CompatPageQuery {
  @Int({ query: true, optional: true, min: 1, max: 1000 }) limit: number = 100;
  @Text({ optional: true, max: 5000 }) workflowIds?: string;
  @Text({ optional: true, max: 5000 }) folderPaths?: string;
  @Text({ optional: true, max: 5000 }) triggers?: string;
  @Text({ optional: true, max: 5000 }) status?: string;
  @OneOf(levels, { optional: true }) level?: (typeof levels)[number];
  @Time({ optional: true }) startDate?: string;
  @Time({ optional: true }) endDate?: string;
  @Int({ query: true, optional: true, min: 0 }) minDurationMs?: number;
  @Int({ query: true, optional: true, min: 0 }) maxDurationMs?: number;
  @Num({ query: true, optional: true, min: 0, max: 1_000_000_000 }) minCost?: number;
  @Num({ query: true, optional: true, min: 0, max: 1_000_000_000 }) maxCost?: number;
  @Text({ optional: true, max: 200 }) model?: string;
  @Text({ optional: true, max: 100 }) runId?: string;
  @OneOf(['basic', 'full'], { optional: true }) details: 'basic' | 'full' = 'basic';
  @Bool({ query: true, optional: true }) includeTraceSpans: boolean = false;
  @Bool({ query: true, optional: true }) includeFinalOutput: boolean = false;
  @OneOf(['startedAt'], { optional: true }) sortBy?: string;
  @OneOf(['asc', 'desc'], { optional: true }) sortOrder: 'asc' | 'desc' = 'desc';
}

export class RunsQuery {
  @Int({ query: true, optional: true, min: 1, max: 100 }) limit: number = 50;
  @Text({ optional: true, max: 1000 }) cursor?: string;
  @Text({ optional: true, max: 5000 }) status?: string;
  @Text({ optional: true, max: 5000 }) trigger?: string;
  @Time({ optional: true }) startDate?: string;
  @Time({ optional: true }) endDate?: string;
  @OneOf(['asc', 'desc'], { optional: true }) order: 'asc' | 'desc' = 'desc';
}

/** We know the type of a tag. The clients' type is accepted and ignored. */
class ForeignTagFilterBody extends TagFilterBody {
  @Text({ optional: true, max: 20 }) fieldType?: string;
}

export class ForeignSearchBody {
  @WorkspaceId({ required: true }) workspaceId!: string;
  @Anything() knowledgeBaseIds: unknown;
  @Text({ optional: true, min: 1, max: 10_000 }) query?: string;
  @Int({ optional: true, min: 1, max: 100 }) topK: number = 10;
  @ListOf(() => ForeignTagFilterBody, { optional: true, max: tagFiltersMax })
  tagFilters?: ForeignTagFilterBody[];
  // Every search ranks by meaning and by words at once, and no model re-ranks the results.
  @OneOf(['vector', 'hybrid'], { optional: true, nullable: true }) searchMode?: string | null;
  @Bool({ optional: true }) rerankerEnabled: boolean = false;
  @Text({ optional: true, max: 100 }) rerankerModel?: string;
  @Int({ optional: true, min: 1, max: 100 }) rerankerInputCount?: number;
}
