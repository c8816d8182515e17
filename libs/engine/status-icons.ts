import type { VisitEntry } from './effects.ts';

/** How a visit's status looks in a table of text. */
export const statusIcons: Record<VisitEntry['status'], string> = {
  running: '▶',
  paused: '⏸',
  completed: '✔',
  failed: '✖',
  skipped: '–',
  cancelled: '◼',
  expired: '⌛',
};
