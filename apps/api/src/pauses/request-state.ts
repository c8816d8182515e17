import type { Approvals } from '#libs/language/definition/blocks/approvals';
import type { ResumeEntry } from '#libs/runs/pauses/pause.entity';
import { votesIn } from '#libs/runs/pauses/people';

/** The votes on a request so far, in lines for people. */
export function stateLines(approvals: Approvals, entries: ResumeEntry[]): string[] {
  const counted = entries.filter(({ person, status }) => person && status !== 'failed');
  const yes = votesIn(counted, approvals).filter(({ approved }) => approved).length;
  const rule = approvals.veto ? ' One no is enough to refuse.' : '';
  return [
    `${yes} of ${approvals.required} needed have said yes.${rule}`,
    ...counted.map((entry) => {
      const [vote] = votesIn([entry], approvals);
      const when = entry.queuedAt.toISOString().slice(0, 16).replace('T', ' ');
      return `${entry.person?.names.at(-1) ?? ''}: ${vote?.approved ? 'yes' : 'no'}, ${when} UTC`;
    }),
  ];
}
