import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** The path of a file beside the compiled code. */
const beside = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url));

/** A module without state of a run: it is loaded once a process instead of once a run. */
const pure = (path: string) => fileURLToPath(new URL(`../libs/${path}.js`, import.meta.url));

/**
 * Bundles at build time, because a bundle takes a second, too long for a boot. The second bundle is for processes that
 * seal payloads.
 */
async function main(): Promise<void> {
  const options = {
    failureConverterPath: beside('failure-converter.js'),
    workflowsPath: beside('workflows/index.js'),
    workflowInterceptorModules: [beside('workflows/trace-headers.js'), beside('workflows/failure-fields.js')],
    preloadModules: [
      beside('workflows/promises.js'),
      pure('language/engine/run'),
      pure('language/definition/blocks/registry'),
    ],
  };
  const sealed = { ...options, failureConverterPath: beside('sealed-failures.js') };
  await writeFile(beside('workflows.bundle.js'), (await bundleWorkflowCode(options)).code);
  await writeFile(beside('workflows.sealed.bundle.js'), (await bundleWorkflowCode(sealed)).code);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
