/**
 * The program of one sandbox process. It loads QuickJS, reports that it is ready, reads one job, confirms it, runs it, sends the result
 * and ends. It uses blocking reads and writes on purpose: it needs no event loop, and an end of file means that the parent has
 * ended.
 */
import { readSync, writeSync } from 'node:fs';
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { encodeMessage, headBytes, type GuestMessage, type MessageKind, type CodeOrder } from './messages.ts';
import { SandboxVm } from './vm.ts';
import { createMemory } from './memory.ts';

async function main(): Promise<void> {
  const memory = createMemory(Number(process.argv[2]));
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory: memory }));
  const guest = new SandboxVm(engine, memory, (line) => send('L', line));
  send('R', '');

  const first = receive();
  if (first.kind === 'P') {
    // Loaded only for this, because its imports take 5 ms.
    const { probe } = await import('./probe.ts');
    send('P', JSON.stringify(await probe(first.payload.toString())));
  } else {
    const order: CodeOrder = JSON.parse(first.payload.toString());
    const input = receive().payload.toString();
    // Sent before the first line of the code runs, because code that may have begun must not run in another process.
    send('S', '');
    const outcome = guest.runCode(order, input);
    if ('output' in outcome) send('D', outcome.output);
    else send('E', JSON.stringify(outcome.fault));
  }
  process.exit(0);
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
