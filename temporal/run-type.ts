/** The Temporal type of runs whose names must not be seen, and of those that began before runs had the names of their workflows. */
export const plainRunType = 'execution';

/** The types that the bundle registers beside that of executions. */
const registered = [plainRunType, 'ingestion', 'tableImport', 'default'];
const charsMax = 100;

/**
 * The Temporal type of a run: the name of its workflow, so that operators tell runs apart in every list. The bundle runs each type
 * that it does not register as an execution, so a name that means something there gets a word before it.
 */
export function runTypeOf(workflowName: string): string {
  const name = workflowName.replace(/\s+/g, ' ').trim().slice(0, charsMax);
  const isTaken = registered.includes(name) || name in Object.prototype || name.startsWith('__');
  return isTaken || name === '' ? `workflow ${name}`.trim() : name;
}

/** True when runs of the type are executions. */
export function isRunOfExecution(type: string): boolean {
  return type === plainRunType || !registered.includes(type);
}
