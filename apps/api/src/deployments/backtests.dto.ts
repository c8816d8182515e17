import type { Json } from '#libs/platform/json/json';
import { type Backtest, type BacktestedRun, backtestVerdicts } from '#libs/runs/executions/control/backtests';
import { hiddenReasons } from '#libs/runs/executions/control/request-differences';
import { SentPartView } from '../executions/block-log.dto.ts';
import { Anything, Bool, Int, ListOf, One, OneOf, Text, Texts, versionBounds } from '../http/fields.ts';

export class BacktestBody {
  @Int({ optional: true, ...versionBounds, description: 'The version to replay on; absent: the draft.' })
  version?: number;
  @Int({
    optional: true,
    min: 1,
    max: 200,
    default: 50,
    description: 'The number of executions, the newest first.',
  })
  executions?: number;
}

export class BacktestEndView {
  @Text({ description: 'The state at the end: `completed` or `failed`.' }) status!: string;
  @Anything({ description: 'The output.' }) output!: Json;
  @Text({ nullable: true, description: 'The code of the failure; null when there is none.' })
  failure!: string | null;
  @Int({ nullable: true, description: 'The HTTP status that a response block sets; null when none does.' })
  httpStatus!: number | null;
}

export class BacktestDifferenceView {
  @Text({ description: 'The path of the visit.' }) path!: string;
  @Text({
    nullable: true,
    description: 'How the visit ended, and the port by which it was left; null when there was none.',
  })
  was!: string | null;
  @Text({ nullable: true, description: 'The same on the replayed version.' }) is!: string | null;
}

export class BacktestMemberView {
  @Text({ description: 'The place of the member in the parameters, such as `body.amount` or `url`.' })
  name!: string;
  @One(() => SentPartView, {
    nullable: true,
    description: 'What was sent; null when the member was not there, and when values are hidden.',
  })
  was!: SentPartView | null;
  @One(() => SentPartView, {
    nullable: true,
    description: 'What would be sent; null when the member would not be there, and when values are hidden.',
  })
  is!: SentPartView | null;
}

export class BacktestRequestView {
  @Text({ description: 'The path of the visit.' }) path!: string;
  @ListOf(() => BacktestMemberView, {
    description: 'The members of the request that differ, 20 at most; of a pause, of what people are asked.',
  })
  members!: BacktestMemberView[];
  @Int({ description: 'How many further members differ.' }) more!: number;
  @OneOf(hiddenReasons, {
    nullable: true,
    description:
      'Why there are no values; null when there are. `role`: the caller may not write the workflow. `unrecorded`: the workspace keeps no values, or kept none of this visit. `large`: there are too many to compare or show. `failing`: a template gives no value, and the members are not known.',
  })
  hidden!: string | null;

  static of({ members, ...request }: BacktestedRun['requests'][number]): BacktestRequestView {
    const views = members.map(({ name, was, is }) => ({
      name,
      was: was && SentPartView.of(was),
      is: is && SentPartView.of(is),
    }));
    return { ...request, members: views };
  }
}

export class BacktestedRunView {
  @Text({ description: 'The id of the execution.' }) executionId!: string;
  @Text({ nullable: true, description: 'The title of the execution; null when it has none.' }) title!:
    | string
    | null;
  @OneOf(backtestVerdicts, {
    description:
      '`same`: it sends and asks the same, and ends alike. `differs`: it ends otherwise, or sends or asks something else. `asks`: it comes to something that the execution does not know. `unreadable`: it cannot be replayed.',
  })
  verdict!: string;
  @One(() => BacktestEndView, { description: 'The recorded end.' }) was!: BacktestEndView;
  @One(() => BacktestEndView, {
    nullable: true,
    description: 'The end of the replay; null when it has none.',
  })
  is!: BacktestEndView | null;
  @One(() => BacktestDifferenceView, {
    nullable: true,
    description: 'The first visit that goes another way; null when none does.',
  })
  difference!: BacktestDifferenceView | null;
  @ListOf(() => BacktestRequestView, {
    description: 'The visits that would send another request, or ask another question, with what differs.',
  })
  requests!: BacktestRequestView[];
  @Texts({ description: 'The paths of visits whose calls and questions there would not be.' })
  omitted!: string[];
  @Texts({ description: 'The paths of visits whose answer the execution does not know.' }) unknown!: string[];
  @Text({ nullable: true, description: 'Why it cannot be replayed; null when it was.' }) reason!:
    | string
    | null;

  static of(run: BacktestedRun): BacktestedRunView {
    return { ...run, requests: run.requests.map((request) => BacktestRequestView.of(request)) };
  }
}

export class BacktestCountsView {
  @Int({ description: 'The executions that end alike.' }) same!: number;
  @Int({ description: 'The executions that end otherwise or send other requests.' }) differs!: number;
  @Int({ description: 'The executions that come to something unknown.' }) asks!: number;
  @Int({ description: 'The executions that cannot be replayed.' }) unreadable!: number;
}

export class BacktestView {
  @Int({ nullable: true, description: 'The version; null for the draft.' }) version!: number | null;
  @One(() => BacktestCountsView, { description: 'The executions by verdict.' }) counts!: BacktestCountsView;
  @ListOf(() => BacktestedRunView, { description: 'The executions, the newest first.' })
  runs!: BacktestedRunView[];
  @Bool({ description: 'True when the time was over before all were replayed.' }) cut!: boolean;

  static of({ runs, ...backtest }: Backtest): BacktestView {
    return { ...backtest, runs: runs.map((run) => BacktestedRunView.of(run)) };
  }
}
