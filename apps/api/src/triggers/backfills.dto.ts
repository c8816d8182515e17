import {
  type Backfill,
  type BackfillOverlap,
  backfillOverlaps,
  type MomentCounts,
} from '#libs/triggers/schedules/backfills';
import { Bool, Int, Num, One, OneOf, Text, Time } from '../http/fields.ts';
import { PrincipalView } from './triggers.dto.ts';

const overlapText =
  '`buffer_all`: a moment waits until no execution of the schedule is open. `allow_all`: it starts beside them.';

export class BackfillBody {
  @Time({ description: 'The beginning of the range; a moment at this time is in it.' }) from!: string;
  @Time({ description: 'The end of the range; a moment at this time is not in it. Not in the future.' })
  to!: string;
  @Bool({
    optional: true,
    default: false,
    description: 'True starts also those moments that have started an execution already.',
  })
  again?: boolean;
  @OneOf(backfillOverlaps, {
    optional: true,
    description: `${overlapText} Left out: \`allow_all\` when the schedule has it, else \`buffer_all\`.`,
  })
  overlap?: BackfillOverlap;
  @Num({
    optional: true,
    nullable: true,
    min: 0.1,
    max: 100,
    description: 'How many moments start in a second at most. Left out: as fast as the limits allow.',
  })
  perSecond?: number | null;
  @Bool({ optional: true, default: false, description: 'Only count the moments.' }) dryRun?: boolean;
}

export class MomentCountsView {
  @Int({ description: 'The moments of the range.' }) moments!: number;
  @Int({ description: 'Those that have started an execution already.' }) alreadyRan!: number;
  @Time({ nullable: true, description: 'The first moment; null when there is none.' }) first!: string | null;
  @Time({ nullable: true, description: 'The last moment; null when there is none.' }) last!: string | null;

  static of({ first, last, ...counts }: MomentCounts): MomentCountsView {
    return { ...counts, first: first?.toISOString() ?? null, last: last?.toISOString() ?? null };
  }
}

export class BackfillView {
  @Text({ description: 'The id of the backfill, which begins with `bkf_`.' }) id!: string;
  @Text({ description: 'The id of the schedule.' }) triggerId!: string;
  @Time({ description: 'The beginning of the range.' }) from!: string;
  @Time({ description: 'The end of the range, which is not in it.' }) to!: string;
  @Bool({ description: 'True when moments are started again.' }) again!: boolean;
  @OneOf(backfillOverlaps, { description: overlapText }) overlap!: string;
  @Num({ nullable: true, description: 'How many moments start in a second at most; null without a limit.' })
  perSecond!: number | null;
  @OneOf(['running', 'completed', 'aborted'], { description: 'The state of the backfill.' }) status!: string;
  @Int({ description: 'The moments of the range.' }) total!: number;
  @Int({ description: 'The moments that have started an execution by this backfill.' }) started!: number;
  @Int({ description: 'The moments that had started one before.' }) alreadyRan!: number;
  @Int({ description: 'The moments that started nothing; the deliveries say why.' }) refused!: number;
  @Time({ nullable: true, description: 'The moment that comes next; null after the last one.' })
  next!: string | null;
  @Text({ nullable: true, description: 'Why it waits, as for a limit or a hold; null while it works.' })
  waitsFor!: string | null;
  @One(() => PrincipalView, { description: 'Who made it. Its executions act for this user or key.' })
  actsFor!: PrincipalView;
  @Time({ description: 'The time of creation, in ISO 8601 and UTC.' }) createdAt!: string;
  @Time({ nullable: true, description: 'The time of its end; null while it runs.' }) endedAt!: string | null;

  static of({ nextAt, actor, from, to, createdAt, endedAt, ...backfill }: Backfill): BackfillView {
    return {
      ...backfill,
      from: from.toISOString(),
      to: to.toISOString(),
      next: nextAt?.toISOString() ?? null,
      actsFor: { kind: actor.kind, id: actor.id },
      createdAt: createdAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
    };
  }
}

export class CreatedBackfillView {
  @Bool({ description: 'True when it was only counted.' }) dryRun!: boolean;
  @One(() => MomentCountsView, { description: 'What the range holds.' }) counts!: MomentCountsView;
  @One(() => BackfillView, { nullable: true, description: 'The backfill; null with `dryRun`.' })
  backfill!: BackfillView | null;
}
