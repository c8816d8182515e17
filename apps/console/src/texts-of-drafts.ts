import { many } from './many.ts';

/** The texts on trying a draft: as a test, and against what has run. */
export const textsOfDrafts = {
  run: {
    test: 'Run the draft',
    testInstead: 'Run the draft instead',
    testTitle: (name: string) => `Run the draft of “${name}”`,
    testText: 'The draft runs as a test, and is in no statistics of the workflow.',
    calls: 'Its calls',
    real: 'are made',
    realHint: 'Servers are called, rows are written, and people are asked.',
    scripted: 'get the answers below, and none is made',
    scriptedHint: 'No server and no other workflow is called. People are not told of questions.',
    effects: 'What calls return, by block',
    effectsHint:
      'Change the outputs as you need them. For a failure write {"fail": {"code": "HTTP_500", "message": "It is down"}} in the place of {"output": …}; a list has one answer for each attempt.',
    children: 'What other workflows return, by block',
    unsaved: 'What is on the screen is not saved. The saved draft runs, so save it first.',
  },
  backtest: {
    title: 'Against what has run',
    none: 'No execution has ended yet, so nothing can be compared.',
    summary: (count: number, { differs, asks, unreadable }: Record<string, number>) =>
      [
        `Of the last ${many(count, 'execution')}, replayed with their answers, ${differs || 'none'} would end otherwise or send other requests.`,
        asks ? `${asks} would ask for something that ${asks === 1 ? 'it does' : 'they do'} not know.` : '',
        unreadable ? `${unreadable} cannot be replayed.` : '',
      ]
        .filter(Boolean)
        .join(' '),
    cut: 'The time was over before all were replayed.',
    of: ({
      was,
      is,
      difference,
      requests,
      unknown,
    }: {
      was: { status: string };
      is: { status: string } | null;
      difference: { path: string } | null;
      requests: { path: string }[];
      unknown: string[];
    }) =>
      is && is.status !== was.status
        ? `${is.status} and not ${was.status}${difference ? `, from ${difference.path} on` : ''}`
        : requests.length > 0
          ? `sends another request: ${requests.map(({ path }) => path).join(', ')}`
          : unknown.length > 0
            ? `has no answer for ${unknown.join(', ')}`
            : difference
              ? `goes another way at ${difference.path}`
              : 'has another output',
    all: (count: number) => `Show all ${count}`,
    members: (path: string) => `What differs at ${path}`,
    was: 'Was sent',
    is: 'Would be sent',
    absent: 'not there',
    more: (count: number) => `and ${many(count, 'more member')}`,
    moreVisits: (count: number) => `and ${many(count, 'more visit')}`,
    hidden: {
      role: 'Only those who may edit the workflow see the values.',
      unrecorded: 'The workspace keeps no values, or kept none of this visit.',
      large: 'It is too large to be compared or shown here.',
      failing: 'A template gives no value, so what differs cannot be told.',
    } as Record<string, string>,
  },
};
