/**
 * The program of one sandbox process: it loads QuickJS, says that it is ready, takes one job, confirms it, runs it, sends
 * the result and ends. All pipe traffic is blocking on purpose: there is no event loop to keep alive, and an end of file
 * means that the parent is gone.
 */
import { readSync, writeSync } from 'node:fs';
import { newQuickJSWASMModuleFromVariant, newVariant, RELEASE_SYNC } from 'quickjs-emscripten';
import { messageOf, headBytes, type GuestMessage, type MessageKind, type CodeOrder } from './messages.ts';
import { SandboxVm } from './vm.ts';
import { memoryOf } from './memory.ts';

async function main(): Promise<void> {
  const memory = memoryOf(Number(process.argv[2]));
  const engine = await newQuickJSWASMModuleFromVariant(newVariant(RELEASE_SYNC, { wasmMemory: memory }));
  const guest = new SandboxVm(engine, memory, (line) => send('L', line));
  send('R', '');

  const first = receive();
  if (first.kind === 'P') {
    // Loaded here alone: what it tries the walls with takes 5 ms.
    const { probe } = await import('./probe.ts');
    send('P', JSON.stringify(await probe(first.payload.toString())));
  } else {
    const order: CodeOrder = JSON.parse(first.payload.toString());
    const input = receive().payload.toString();
    // Sent before the first line of the code runs: code that may have begun is never given to another process.
    send('S', '');
    const outcome = guest.runCode(order, input);
    if ('output' in outcome) send('D', outcome.output);
    else send('E', JSON.stringify(outcome.fault));
  }
  process.exit(0);
}

function send(kind: MessageKind, payload: string): void {
  const bytes = messageOf(kind, payload);
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
