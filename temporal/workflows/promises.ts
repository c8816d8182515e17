/** Takes the place of an error whose stack nobody reads. */
function Stackless() {}

/**
 * For each promise that workflow code makes, Temporal's SDK compiles two functions, takes a stack and maps it back
 * to the sources, and compiles one more when the promise settles: between a fifth and a third of the cost of a task
 * here, and a replay consists of tasks only. So the SDK gets these functions ready-made, and an error without a
 * stack. The price is that `temporal workflow stack` is empty; it would show this interpreter and never the block,
 * which is in the run's details.
 */
const known = new Map<string, () => unknown>([
  ['return globalThis.__TEMPORAL_ACTIVATOR__', () => Reflect.get(globalThis, '__TEMPORAL_ACTIVATOR__')],
  ['return globalThis.Error', () => Stackless],
]);

// The SDK reads the workflow's `Function` as the constructor of the promise's constructor.
const compile = Promise.constructor;
Object.defineProperty(Promise, 'constructor', { value: (body: string) => known.get(body) ?? compile(body) });
