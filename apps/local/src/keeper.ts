import { createInterface } from 'node:readline';
import { isAlive, stopProcess } from './processes.ts';

const GRACE_MS = 5000;

/** Reads `+pid signal` and `-pid` until its parent is gone, then stops the remaining processes. See keep.ts. */
async function main(): Promise<void> {
  const kept = new Map<number, NodeJS.Signals>();
  for await (const line of createInterface({ input: process.stdin })) {
    const [number, signal] = line.slice(1).split(' ');
    if (line.startsWith('+')) kept.set(Number(number), signal as NodeJS.Signals);
    else kept.delete(Number(number));
  }
  for (const [pid, signal] of [...kept].toReversed()) {
    if (isAlive(pid)) await stopProcess(pid, signal, GRACE_MS);
  }
}

await main();
