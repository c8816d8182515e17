import type { VisitEntry } from './effects.ts';

/** The icon of each status of a visit, in a table of text. */
export const statusIcons: Record<VisitEntry['status'], string> = {
  running: '▶',
  paused: '⏸',
  completed: '✔',
  failed: '✖',
  skipped: '–',
  cancelled: '◼',
  expired: '⌛',
};
