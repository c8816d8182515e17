import type { Client, ShownExecution, BlockVisit } from './client.ts';
import type { ReportReceiver, DeliveredReport } from './receiver.ts';
import type { ReviewOptions, Reviewed } from './review.ts';

const licencesShownMax = 6;

/** One thing that must hold after the review. */
export interface VerdictCheck {
  holds: boolean;
  what: string;
}

interface Paused {
  pausedExecutions: { executionId: string }[];
}

interface Resumes {
  queue: { status: string }[];
}

/** Compares the reports of the API and the receiver about the review with the promises. */
export async function expectations(
  client: Client,
  receiver: ReportReceiver,
  reviewed: Reviewed,
  options: ReviewOptions,
): Promise<VerdictCheck[]> {
  const { execution } = reviewed;
  const answers = (await answersTo(client, reviewed)).map(({ status }) => status).join(', ');
  return [
    {
      holds: execution.status === 'completed',
      what: `the run has ${execution.status}${execution.error ? `: ${execution.error}` : ''}`,
    },
    reportExpectation(receiver, execution, options),
    {
      holds: isOnceEach(execution.blocks, reviewed.blockIds),
      what: `each of ${reviewed.blockIds.length} blocks was visited once`,
    },
    ...(options.crash ? [crashExpectation(reviewed)] : []),
    { holds: answers === 'completed', what: `the answer is recorded once (${answers || 'never'})` },
  ];
}

/** None when the run has never asked. */
async function answersTo(client: Client, { workflowId }: Reviewed): Promise<Resumes['queue']> {
  const { pausedExecutions } = await client.getJson<Paused>(`/api/workflows/${workflowId}/paused`);
  const reads = pausedExecutions.map(({ executionId }) =>
    client.getJson<Resumes>(`/api/resume/${workflowId}/${executionId}`),
  );
  return (await Promise.all(reads)).flatMap(({ queue }) => queue);
}

function reportExpectation(
  { deliveries, reports }: ReportReceiver,
  { executionId }: ShownExecution,
  { crash, interactive, decision }: ReviewOptions,
): VerdictCheck {
  const [report] = reports;
  const wanted = decision === 'approve' ? 'approved' : 'rejected';
  const isWanted = report?.run === executionId && (interactive || report.verdict === wanted);
  // The first delivery of a crash is stored and never answered, so it has to come again.
  const isDeliveredAsMeant = crash ? deliveries > 1 : deliveries === 1;
  const verdicts = reports.map(({ verdict }) => verdict).join(', ');
  const stored = `${counted(reports.length, 'report')} stored${verdicts && `: ${verdicts}`}`;
  return {
    holds: reports.length === 1 && isWanted && isDeliveredAsMeant,
    what: `${counted(deliveries, 'delivery', 'deliveries')}, ${stored}`,
  };
}

function crashExpectation({ execution: { blocks }, beforeCrashes }: Reviewed): VerdictCheck {
  const again = beforeCrashes.filter(
    (old) => !blocks.some((now) => now.blockId === old.blockId && now.endedAt === old.endedAt),
  );
  const names = again.map(({ name }) => name).join(', ');
  return {
    holds: beforeCrashes.length > 0 && again.length === 0,
    what: `no block that had ended before a kill has run again${names && `, but: ${names}`}`,
  };
}

function isOnceEach(visits: BlockVisit[], blockIds: string[]): boolean {
  const visited = visits.filter(({ status }) => status === 'completed').map(({ blockId }) => blockId);
  return visits.length === blockIds.length && visited.toSorted().join() === blockIds.toSorted().join();
}

/** The verdict and the counts; the packages in question are a table of their own. */
export function linesOfReport({ licences, verdict, note }: DeliveredReport): string[] {
  const rest = licences.length - licencesShownMax;
  const most = licences.slice(0, licencesShownMax).map(({ licence, packages }) => `${packages} ${licence}`);
  return [
    `${verdict}${note ? `: "${note}"` : ''}`,
    most.join(', ') + (rest > 0 ? ` and ${counted(rest, 'other')}` : ''),
  ];
}

/** The block log as rows to be shown. */
export function toLog({ blocks }: ShownExecution): Record<string, string | number>[] {
  return blocks.map(({ name, type, status, attempts, duration }) => ({
    block: name,
    type,
    status,
    attempts,
    ms: duration ?? '',
  }));
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
