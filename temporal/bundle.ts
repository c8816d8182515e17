import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** Where the bundle lies beside the compiled code. Made at build time: bundling takes a second that no boot should pay. */
export const bundlePath = fileURLToPath(new URL('./workflows.bundle.js', import.meta.url));

/** Modules without state of a run: loaded once a process instead of once a run. */
const pure = (path: string) => fileURLToPath(new URL(`../libs/${path}.js`, import.meta.url));

async function main(): Promise<void> {
  const workflowsPath = fileURLToPath(new URL('./workflows/index.js', import.meta.url));
  const { code } = await bundleWorkflowCode({ workflowsPath, preloadModules: [pure('engine/run')] });
  await writeFile(bundlePath, code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
