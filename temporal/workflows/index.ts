// Registers everything that Temporal may start. The type of a run is the name of its workflow, so every unregistered
// type is an execution. Runs of earlier releases have the type `execution`.
export { execution, execution as default } from './execution.ts';
export { ingestion } from './ingestion.ts';
export { tableImport } from './table-import.ts';
