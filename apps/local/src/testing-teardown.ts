import { started } from './testing.ts';

/** Stops what `testing.ts` started in this run. */
export default async function tearDown(): Promise<void> {
  await started.cluster?.stop();
}
