import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** Prints one line of progress, on stderr. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a Node program with this terminal and resolves to its exit code. A signal to us goes on to it. */
export function node(args, { env = {}, quiet = false, cwd = CHECKOUT } = {}) {
  return command(process.execPath, args, { env, quiet, cwd });
}

/** Like `node`, for any program. With `quiet` the output is held back and shown only on failure. */
export async function command(program, args, options = {}) {
  const { code, output } = await capture(program, args, { quiet: false, ...options });
  if (code !== 0) process.stderr.write(output);
  return code;
}

/** Runs a program whose output nobody sees. Resolves to its exit code and its output. */
export function capture(program, args, { env = {}, quiet = true, cwd = CHECKOUT } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = ['inherit', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'];
    const child = spawn(program, args, { cwd, stdio, env: { ...process.env, ...env } });
    const output = [];
    child.stdout?.on('data', (chunk) => output.push(chunk));
    child.stderr?.on('data', (chunk) => output.push(chunk));
    const stopForwarding = forwardSignals((signal) => child.kill(signal));
    child.once('error', reject);
    child.once('close', (code) => {
      stopForwarding();
      resolve({ code: code ?? 1, output: Buffer.concat(output).toString() });
    });
  });
}

/** Hands each signal that asks this process to end to `forward`, until the returned function is called. */
export function forwardSignals(forward) {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  return () => signals.forEach((signal) => process.off(signal, forward));
}

/** Sends a signal to a process that was started `detached`, and to all that it started and left in its group. */
export function killGroup(pid, signal) {
  try {
    process.kill(-Number(pid), signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** Runs the npm that runs us, so that neither another version nor a shell is used. */
export function npm(args, options) {
  const [program, ...first] = npmCommand();
  return command(program, [...first, ...args], options);
}

/** The program of npm, with what stands before its arguments. */
export function npmCommand() {
  const own = process.env.npm_execpath;
  if (own?.endsWith('.js')) return [process.execPath, own];
  return [process.platform === 'win32' ? 'npm.cmd' : 'npm'];
}

/** The script behind a command of a package, for `node`: works without a shell and without the links of .bin. */
export function binOf(name, bin = name) {
  const folder = join(CHECKOUT, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]);
}

/** Does work that two npm scripts of one checkout must not do at once: the second waits, then looks again. */
export async function alone(work) {
  const name = createHash('sha256').update(CHECKOUT).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `holdfast-${process.getuid?.() ?? 0}-${name}.pid`);
  for (let tries = 0; !take(lock); tries += 1) {
    if (tries === 0) say('Waiting for another npm script that is at work in this checkout ...');
    await pause(200);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock) {
  try {
    writeFileSync(lock, nameProcess(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isLeft(lock)) rmSync(lock, { force: true });
    return false;
  }
}

/** True when nobody holds the lock: its process was killed, maybe before it had written its name. */
function isLeft(lock) {
  try {
    const name = readFileSync(lock, 'utf8');
    if (name === '') return Date.now() - statSync(lock).mtimeMs > 10_000;
    const pid = Number.parseInt(name);
    process.kill(pid, 0);
    return nameProcess(pid) !== name;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Another process gets the number after a while, so that the moment of the start is added where the system tells it. */
function nameProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold spaces. Nineteen fields stand between it and the start.
    return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return String(pid);
  }
}
