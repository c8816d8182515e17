/** The texts of lists and of the palette, which the first page does not load. A text with a value is a function. */
export const textsOfLists = {
  clear: 'Clear filters',
  newest: 'To the first page',
  next: 'Next page',
  count: (count: number) => `${count.toLocaleString('en')} on this page`,
  keys: 'j and k move through the list, Enter opens.',
  refreshing: 'Reading …',
  palette: {
    label: 'Search and commands',
    placeholder: 'Go to, run or find …',
    none: 'Nothing found.',
    goTo: 'Go to',
    workflows: 'Workflows',
    actions: 'Actions',
    newWorkflow: 'New workflow',
    failedToday: 'Failed executions',
    waitingForMe: 'Questions for me',
  },
  /** Who acts, by kind. */
  actors: {
    user: 'a person',
    key: 'a key',
    link: 'somebody with the link',
    anyone: 'somebody without a key',
    operator: 'the operator',
    system: 'the system',
  } as Record<string, string>,
} as const;
