import { started } from './testing.ts';

/** Stops the processes that `testing.ts` started in this run. */
export default async function tearDown(): Promise<void> {
  await started.cluster?.stop();
}
