import { many } from './many.ts';

/** The texts on what starts a workflow by itself. */
export const textsOfTriggers = {
  list: {
    name: 'Trigger',
    state: 'State',
    next: 'Next',
    last: 'Last',
    actions: 'Actions',
    kinds: { webhook: 'Webhook', schedule: 'Schedule', form: 'Form', event: 'Event' } as Record<
      string,
      string
    >,
    states: { active: 'Active', paused: 'Paused', disabled: 'Switched off', ended: 'Ended' } as Record<
      string,
      string
    >,
    noNext: { webhook: 'When it is called', form: 'When it is sent', event: 'When it happens' } as Record<
      string,
      string
    >,
    noMore: 'None',
    actsFor: 'acts for',
    isDefined: ', from the definition',
    openForm: 'Open the form',
    never: 'Never',
    pause: 'Pause',
    resume: 'Resume',
    paused: (name: string) => `${name} is paused.`,
    resumed: (name: string) => `${name} goes on, and acts for you.`,
    none: 'Nothing starts this workflow by itself',
    noneText:
      'A trigger starts it from another service, by a form, at a time, or on an event. Make one with holdfast triggers create, by the API, or in start.triggers of the definition.',
  },
  deliveries: {
    back: 'All triggers',
    label: (name: string) => `Deliveries of ${name}`,
    received: 'Received',
    verdict: 'Verdict',
    execution: 'Execution',
    why: 'Reason',
    actions: 'Actions',
    replay: 'Replay',
    replayed: 'It was replayed and has started an execution.',
    show: 'Show it',
    isHeld: ', held',
    none: 'Nothing has come yet',
    noneText: 'Each delivery and each moment is listed here with what became of it.',
    body: 'Body',
    headers: 'Headers',
  },
  backfills: {
    title: 'Backfills',
    make: 'New backfill',
    text: 'The schedule starts at each of its moments in this range of the past.',
    range: 'Range',
    state: 'State',
    progress: 'Progress',
    actions: 'Actions',
    from: 'From',
    to: 'Until',
    perSecond: 'Moments a second at most (empty: no limit)',
    again: 'Start again what has started already',
    found: (moments: number, alreadyRan: number) =>
      `The range has ${many(moments, 'moment')}. ${alreadyRan ? `${alreadyRan.toLocaleString('en')} of them have started already.` : 'None of them has started yet.'}`,
    start: (count: number) => `Start ${count.toLocaleString('en')}`,
    made: 'The backfill is under way.',
    abort: 'Stop',
    aborted: 'The backfill was stopped. What it has started goes on.',
    states: { running: 'Under way', completed: 'Done', aborted: 'Stopped' } as Record<string, string>,
    counts: (one: { started: number; alreadyRan: number; refused: number; total: number }) =>
      [
        `${one.started.toLocaleString('en')} of ${one.total.toLocaleString('en')} started`,
        one.alreadyRan ? `${one.alreadyRan.toLocaleString('en')} had before` : '',
        one.refused ? `${one.refused.toLocaleString('en')} refused` : '',
      ]
        .filter(Boolean)
        .join(', '),
    waits: 'It waits:',
    none: 'No backfill yet',
    noneText: 'A backfill starts this schedule at its moments in the past.',
  },
  verdicts: {
    accepted: 'accepted',
    filtered: 'filtered out',
    forged: 'forged',
    paused: 'while paused',
    disabled: 'while switched off',
    undeployed: 'not deployed',
    denied: 'not permitted',
    limited: 'over a limit',
    held: 'while held',
    invalid: 'does not fit',
    overlapped: 'overlapped',
    looped: 'a loop',
    missed: 'too late',
  } as Record<string, string>,
};
