// The registry of the bundle: everything that Temporal may start.
export { execution } from './execution.ts';
export { ingestion } from './ingestion.ts';
