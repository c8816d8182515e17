/** As much of the global as is used here; the compiler knows it only together with the whole DOM. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

const pageBytes = 64 * 1024;
/** What the engine is linked for: its data and 5 MiB of stack lie in it, the rest is the guest's as well. */
export const engineBytes = 16 * 1024 * 1024;

export interface GuestMemory {
  readonly buffer: ArrayBuffer;
}

/**
 * The cap on what the guest takes. QuickJS's own limit counts 8 bytes for each allocation in this build (emscripten has no
 * malloc_usable_size): 938 MB fitted into a limit of 16 MiB. A WASM memory cannot grow past its maximum.
 */
export function memoryOf(guestBytes: number): GuestMemory {
  const maximum = Math.ceil((engineBytes + guestBytes) / pageBytes);
  return new WebAssembly.Memory({ initial: engineBytes / pageBytes, maximum });
}
