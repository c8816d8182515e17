/** The part of the global `WebAssembly` that this file uses. TypeScript declares it only together with the whole DOM. */
declare const WebAssembly: {
  Module: new (code: Uint8Array) => object;
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

const pageBytes = 64 * 1024;
/** The initial memory of the engine, in bytes. It contains the engine's data and 5 MiB of stack; the guest may use the rest. */
export const engineBytes = 16 * 1024 * 1024;

export interface GuestMemory {
  readonly buffer: ArrayBuffer;
}

/**
 * The WASM memory of the guest. It cannot grow above its maximum. QuickJS's own limit does not work in this build: it counts 8 bytes
 * for each allocation, because emscripten has no malloc_usable_size. So 938 MB fitted into a limit of 16 MiB.
 */
export function createMemory(guestBytes: number): GuestMemory {
  const maximum = Math.ceil((engineBytes + guestBytes) / pageBytes);
  return new WebAssembly.Memory({ initial: engineBytes / pageBytes, maximum });
}

/** Compiles the code of the engine. Its instances share the compiled code and nothing else. */
export function compileEngine(code: Uint8Array): object {
  return new WebAssembly.Module(code);
}
