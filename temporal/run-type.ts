import { cutText, screenText } from '#libs/platform/text/whole-text';
/** The Temporal type of runs whose names must stay hidden, and of runs from releases that gave all runs this type. */
export const plainRunType = 'execution';

/** The type names that have a meaning in the bundle. */
const registered = [plainRunType, 'ingestion', 'tableImport', 'default'];
const charsMax = 100;

/**
 * The Temporal type of a run: the name of its workflow, so that operators can tell runs apart in every list. The bundle
 * runs each unregistered type as an execution. A name with a meaning in the bundle gets a word before it.
 */
export function toRunType(workflowName: string): string {
  const name = cutText(screenText(workflowName).replace(/\s+/g, ' ').trim(), charsMax);
  const isTaken = registered.includes(name) || name in Object.prototype || name.startsWith('__');
  return isTaken || name === '' ? `workflow ${name}`.trim() : name;
}

export function isRunOfExecution(type: string): boolean {
  return type === plainRunType || !registered.includes(type);
}
