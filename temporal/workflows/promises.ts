/**
 * For each promise that workflow code makes, Temporal's SDK takes a stack and maps it back to the sources: a fifth of
 * what a task costs here, and a replay is nothing else. Without frames it skips that. What is given up is the stack in
 * `temporal workflow stack` and of a failed task, which would show this interpreter and never the block; that is in the
 * run's details.
 */
Object.assign(Error, { stackTraceLimit: 0 });
