import { many } from './many.ts';

const verbs = { retry: 'Retry', fork: 'Run again', answer: 'Answer', cancel: 'Cancel', delete: 'Delete' };

const nameOf = (verb: string): string => (verb in verbs ? verbs[verb as keyof typeof verbs] : verb);

/** The texts on jobs over many executions. */
export const textsOfBulk = {
  title: 'All of this list',
  verb: 'What to do',
  verbs,
  fromFailure: 'Keep what was done before the failure',
  version: 'Version',
  versions: { live: 'The live one', same: 'That of each execution' },
  perSecond: 'Executions a second at most (0.1 to 100; empty: 50)',
  texts: {
    retry: 'Failed executions go on from where they failed.',
    fork: 'New executions run the live version with the same inputs. These stay as they are.',
    forkSame: 'New executions run the version of each with the same inputs. These stay as they are.',
    answer: 'The open question of each gets the same answer, as yours.',
    cancel: 'Executions that have not ended are cancelled.',
    delete: 'Executions that have ended are deleted with their logs. This cannot be undone.',
  },
  counts: (found: number, eligible: number) =>
    `The filters find ${many(found, 'execution')}. The job takes ${eligible.toLocaleString('en')} of them.`,
  fillFirst: 'Fill in the form to count them.',
  start: (verb: keyof typeof verbs, count: number) => `${verbs[verb]} ${count.toLocaleString('en')}`,
  answer: {
    block: 'Which question',
    none: 'None of these executions waits for people.',
    example: 'The question of the newest execution is shown; each of the others has its own.',
    file: 'This form takes a file, which belongs to one execution. Answer these one by one in the inbox.',
  },
  undo: (count: number) => `Undo ${count.toLocaleString('en')} that have not begun`,
  abort: 'Stop',
  states: {
    running: 'The job is under way.',
    completed: 'The job is done.',
    aborted: 'The job was stopped.',
  },
  /** What a job does, such as `Retry`, or `Undo of: Retry`. */
  titleOf: ({ verb, options }: { verb: string; options: object }) => {
    const undoes = 'undoes' in options ? String(options.undoes) : '';
    return verb === 'undo' ? `Undo of: ${nameOf(undoes)}` : nameOf(verb);
  },
  jobTitle: (what: string) => `Bulk job: ${what}`,
  progressLabel: 'Progress of the job',
  progress: ({ done, refused, undone, total }: Record<'done' | 'refused' | 'undone' | 'total', number>) =>
    `${done.toLocaleString('en')} of ${total.toLocaleString('en')} done, ${refused.toLocaleString('en')} refused.${undone > 0 ? ` ${undone.toLocaleString('en')} undone.` : ''}`,
  goesOn: 'It goes on when this is closed. “Bulk jobs” above the executions lists it.',
  waits: 'It waits:',
  refused: 'These were refused',
  moreRefused: (count: number) => `and ${count.toLocaleString('en')} more`,
  undoNone: 'Nothing of it can be undone any more.',
  list: {
    title: 'Bulk jobs',
    note: 'What was done to many executions at once, for 30 days.',
    verb: 'What is done',
    state: 'State',
    progress: 'Progress',
    accepted: 'Accepted',
    actions: 'Actions',
    filter: 'Its filters',
    undo: 'Undo …',
    aborted: 'The job was stopped. What it has done stays done.',
    states: { running: 'Under way', completed: 'Done', aborted: 'Stopped' } as Record<string, string>,
    none: 'No bulk job yet',
    noneText: '“All of this list …” above the executions does one thing to all that the filters find.',
  },
};
