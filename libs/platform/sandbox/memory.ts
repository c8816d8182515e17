/** The part of the global that is used here. TypeScript declares it only together with the whole DOM. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

const pageBytes = 64 * 1024;
/** The memory that the engine is linked for. It holds the engine's data and 5 MiB of stack; the guest may use the rest. */
export const engineBytes = 16 * 1024 * 1024;

export interface GuestMemory {
  readonly buffer: ArrayBuffer;
}

/**
 * The memory of the guest, with a cap. QuickJS's own limit counts 8 bytes for each allocation in this build (emscripten
 * has no malloc_usable_size): 938 MB fitted into a limit of 16 MiB. A WASM memory cannot grow past its maximum.
 */
export function memoryOf(guestBytes: number): GuestMemory {
  const maximum = Math.ceil((engineBytes + guestBytes) / pageBytes);
  return new WebAssembly.Memory({ initial: engineBytes / pageBytes, maximum });
}
