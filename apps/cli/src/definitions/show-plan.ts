import { diffLines } from 'diff';
import { stringify } from 'yaml';
import type { Terminal } from '../terminal.ts';
import { type PlannedChange, toSource } from './plan.ts';

const marks = { create: '+', update: '~', conflict: '!', deploy: '^', delete: '-', keep: ' ' } as const;
const colours = {
  create: 'green',
  update: 'yellow',
  conflict: 'red',
  deploy: 'cyan',
  delete: 'red',
  keep: 'gray',
} as const;

/** A plan as people read it: a line for each workflow, and how many there are of each kind. */
export function showPlan(terminal: Terminal, changes: PlannedChange[]): string {
  const shown = changes.filter(({ action }) => action !== 'keep');
  const lines = shown.flatMap((change) => {
    const { action, name, path, deploys, faults } = change;
    const then = deploys && (action === 'create' || action === 'update') ? ', then deploy' : '';
    const line = terminal.paint(colours[action], `${marks[action]} ${name}: ${action}${then}`);
    const why =
      action === 'conflict'
        ? ['    It has changed there since this folder has seen it. Pull it, or give --force.']
        : [];
    const wrong = faults.map((fault) => `    ${terminal.paint('red', 'fault')} ${fault}`);
    return [`${line}${path ? terminal.paint('gray', `  (${path})`) : ''}`, ...why, ...wrong];
  });
  const counts = (['create', 'update', 'deploy', 'delete', 'conflict', 'keep'] as const).flatMap((action) => {
    const count = changes.filter((one) => one.action === action).length;
    return count > 0 ? [`${count} to ${action}`] : [];
  });
  const total = shown.length === 0 ? 'Nothing to change.' : `Plan: ${counts.join(', ')}.`;
  return `${[...lines, total].join('\n')}\n`;
}

/** The lines that differ between the installation and the files, with two lines around each. */
export function showDiff(terminal: Terminal, changes: PlannedChange[]): string {
  const texts = changes.flatMap(({ name, local, remote, action }) => {
    if (action === 'keep' || action === 'deploy') return [];
    const before = remote ? stringify(toSource(remote)) : '';
    const after = local ? stringify(local) : '';
    return [`${terminal.paint('bold', `${marks[action]} ${name}`)}\n${diffText(terminal, before, after)}`];
  });
  return texts.join('\n');
}

function diffText(terminal: Terminal, before: string, after: string): string {
  const parts = diffLines(before, after);
  const lines = parts.flatMap(({ value, added, removed }, at) => {
    const all = value.replace(/\n$/, '').split('\n');
    if (added) return all.map((line) => terminal.paint('green', `+ ${line}`));
    if (removed) return all.map((line) => terminal.paint('red', `- ${line}`));
    const head = at === 0 ? [] : all.slice(0, 2);
    const tail = at === parts.length - 1 ? [] : all.slice(Math.max(head.length, all.length - 2));
    const cut = head.length + tail.length < all.length ? ['  ...'] : [];
    return [...head.map((line) => `  ${line}`), ...cut, ...tail.map((line) => `  ${line}`)];
  });
  return `${lines.join('\n')}\n`;
}
