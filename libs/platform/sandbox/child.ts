/**
 * The program of one sandbox process. It compiles QuickJS once. For each call it makes a new instance of it, reports that this is ready,
 * reads one job, confirms it, runs it and sends the result. It uses blocking reads and writes on purpose: it needs no event loop, and an
 * end of file means that the parent has ended.
 */
import { readFileSync, readSync, writeSync } from 'node:fs';
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import {
  encodeMessage,
  headBytes,
  type GuestMessage,
  type GuestUsage,
  type MessageKind,
  type SentOrder,
} from './messages.ts';
import { SandboxVm } from './vm.ts';
import { compileEngine, createMemory } from './memory.ts';

const memoryBytes = Number(process.argv[2]);
const wasmModule = compileEngine(readFileSync(new URL('emscripten-module.wasm', import.meta.url)));

async function main(): Promise<void> {
  // The engine prints to the console, and standard output is the channel to the parent.
  console.log = console.error;
  (await newGuest(() => {})).warmUp();
  for (;;) {
    let nonce = '';
    const guest = await newGuest((line) => send('L', nonce + line));
    send('R', JSON.stringify(readUsage()));

    const first = receive();
    if (first.kind === 'P') {
      // Loaded only for this, because its imports take 5 ms.
      const { probe } = await import('./probe.ts');
      send('P', JSON.stringify(await probe(first.payload.toString())));
      process.exit(0);
    }
    const order: SentOrder = JSON.parse(first.payload.toString());
    nonce = order.nonce;
    const input = receive().payload.toString();
    // Sent before the first line of the code runs, because code that may have begun must not run in another process.
    send('S', nonce);
    const outcome = guest.runCode(order, input);
    if ('output' in outcome) send('D', nonce + outcome.output);
    else send('E', nonce + JSON.stringify(outcome.fault));
  }
}

/** Makes an instance of the engine, with a memory of its own. Nothing of an earlier one is left in it. */
async function newGuest(log: (line: string) => void): Promise<SandboxVm> {
  const wasmMemory = createMemory(memoryBytes);
  const variant = newVariant(RELEASE_SYNC, { wasmModule, wasmMemory });
  return new SandboxVm(await newQuickJSWASMModuleFromVariant(variant), wasmMemory, log);
}

function readUsage(): GuestUsage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, residentBytes: readResidentBytes() };
}

/** Returns the memory that this process holds now. The peak that Linux counts includes the parent's, from before the start of this program. */
function readResidentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    // Without /proc only the peak is known.
    return process.resourceUsage().maxRSS * 1024;
  }
}

function send(kind: MessageKind, payload: string): void {
  const bytes = encodeMessage(kind, payload);
  for (let at = 0; at < bytes.length;) at += writeSync(1, bytes, at);
}

function receive(): GuestMessage {
  const head = read(headBytes);
  return { kind: head.toString('latin1', 0, 1), payload: read(head.readUInt32BE(1)) };
}

function read(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length;) {
    const got = readSync(0, bytes, at, length - at, null);
    if (got === 0) process.exit(0);
    at += got;
  }
  return bytes;
}

void main();
