import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { ProbeReport } from './messages.ts';

/** Tests the isolation from inside: reads a file that every host has, connects to the parent's port, starts a program. */
export async function probe(port: string): Promise<ProbeReport> {
  return {
    uid: process.getuid?.() ?? -1,
    environment: Object.keys(process.env).filter((name) => !/^(PWD|OLDPWD|SHLVL|_)$/.test(name)).length,
    readsHost: works(() => readFileSync('/etc/passwd')),
    connects: await connects(Number(port)),
    spawns: works(() => {
      const { error } = spawnSync('/bin/true');
      if (error) throw error;
    }),
  };
}

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (reached: boolean): void => {
      socket.destroy();
      resolve(reached);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}
