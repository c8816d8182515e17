import { many } from './many.ts';

const verbs = { retry: 'Retry', fork: 'Run again', answer: 'Answer', cancel: 'Cancel', delete: 'Delete' };

/** The texts on jobs over many executions. */
export const textsOfBulk = {
  title: 'All of this list',
  verb: 'What to do',
  verbs,
  fromFailure: 'Keep what was done before the failure',
  texts: {
    retry: 'Failed executions go on from where they failed.',
    fork: 'New executions run the live version with the same inputs. These stay as they are.',
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
  progress: (done: number, refused: number, total: number) =>
    `${done.toLocaleString('en')} of ${total.toLocaleString('en')} done, ${refused.toLocaleString('en')} refused.`,
  waits: 'It waits:',
  refused: 'These were refused',
};
