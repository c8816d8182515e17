import type { Json } from '#libs/definition/values';
import type { Failure } from '#libs/engine/effects';
import type { Visit } from '#libs/executions/execution.entity';
import { Anything, Bool, Int, ListOf, One, OneOf, Text, Time } from '../http/fields.ts';
import { type Span, spansOf } from './trace-spans.ts';

export class FailureView {
  @Text() code!: string;
  @Text() message!: string;
  @Text({ optional: true }) blockId?: string;
  @Text({ optional: true }) blockName?: string;
  @Anything({ optional: true }) details?: Json;
}

export class BlockLogQuery {
  @Int({ query: true, optional: true, min: 1, max: 1000, default: 1000, description: 'Blocks of one page.' })
  limit: number = 1000;
  @Text({ optional: true, max: 1000, description: 'The `nextCursor` of the page before.' })
  cursor?: string;
}

export class TracedBlockLogQuery extends BlockLogQuery {
  @Bool({
    query: true,
    optional: true,
    default: false,
    description: 'Adds the blocks of the page as `logs` and as `traceSpans`, and `totalDuration`.',
  })
  includeTraceSpans: boolean = false;
}

/** A block of a log, without its output. */
export class LogBlockView {
  @Text() path!: string;
  @Text() blockId!: string;
  @Text() name!: string;
  @Text() type!: string;
  @Text() status!: string;
  @Time() startedAt!: string;
  @Time({ nullable: true }) endedAt!: string | null;
  @Int({ nullable: true }) duration!: number | null;
  @Int() attempts!: number;
  @Text({ nullable: true }) port!: string | null;
  @One(() => FailureView, { nullable: true }) failure!: Failure | null;

  static of(visit: Omit<Visit, 'output' | 'executionId' | 'workspaceId'>): LogBlockView {
    const { path, blockId, name, type, status, startedAt, endedAt, attempts, port, failure } = visit;
    return {
      path,
      blockId,
      name,
      type,
      status,
      attempts,
      port,
      failure,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
      duration: endedAt ? endedAt.getTime() - startedAt.getTime() : null,
    };
  }
}

export class VisitView extends LogBlockView {
  @Anything({
    description:
      'A large output, when those before it on the page come to 2 MB, is a reference: `$payload` is its id, `bytes` its size.',
  })
  output!: Json;

  static override of(visit: Visit): VisitView {
    return { ...LogBlockView.of(visit), output: visit.output };
  }
}

/** A block as a span: what it ran inside of it are its children. */
export class TraceSpanView {
  @Text() id!: string;
  @Text() blockId!: string;
  @Text() name!: string;
  @Text() type!: string;
  @OneOf(['success', 'error', 'running', 'cancelled']) status!: string;
  @Time() startTime!: string;
  @Time({ nullable: true }) endTime!: string | null;
  @Int({ nullable: true }) duration!: number | null;
  @ListOf(() => TraceSpanView) children!: Span[];
}

/** What published clients show of a run beside its output. */
export class TraceView {
  @ListOf(() => VisitView, {
    optional: true,
    description: 'When asked for: the block log, a hundred at most.',
  })
  logs?: VisitView[];
  @ListOf(() => TraceSpanView, { optional: true, description: 'When asked for: the same blocks as a tree.' })
  traceSpans?: Span[];
  @Int({
    optional: true,
    nullable: true,
    description: 'When asked for: milliseconds from start to end, or to now.',
  })
  totalDuration?: number | null;
}

export function traceOf(visits: Visit[], totalDuration: number | null): TraceView {
  return { logs: visits.map((visit) => VisitView.of(visit)), traceSpans: spansOf(visits), totalDuration };
}
