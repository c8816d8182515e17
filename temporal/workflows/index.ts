// The registry of the bundle: everything that Temporal may start. A run has the name of its workflow as its type: what is registered
// under no name is an execution. Runs that began before that have the type `execution`.
export { execution, execution as default } from './execution.ts';
export { ingestion } from './ingestion.ts';
export { tableImport } from './table-import.ts';
