import type { Command } from 'commander';
import { type GlobalOptions, CommandSession } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** All commands share these: the terminal, and the options that stand before or behind their names. */
export interface CommandContext {
  terminal: Terminal;
  program: Command;
}

export type CommandOptions = Record<string, unknown>;
type Action = (...args: unknown[]) => Promise<void>;

export function getGlobals({ program }: CommandContext): GlobalOptions {
  return program.opts();
}

/** An action that needs no installation. Its arguments come behind its options. */
export function acting(
  context: CommandContext,
  run: (context: CommandContext, options: CommandOptions, ...args: unknown[]) => Promise<void>,
): Action {
  return async (...given) => {
    const { options, args } = split(given);
    await run(context, options, ...args);
  };
}

/** A command that calls an installation. */
export type SessionCommand = (
  session: CommandSession,
  options: CommandOptions,
  ...args: string[]
) => Promise<void>;

export function withSession(context: CommandContext, run: SessionCommand): Action {
  return async (...given) => {
    const { options, args } = split(given);
    const session = await CommandSession.open(context.terminal, getGlobals(context));
    await run(session, options, ...args.map(String));
  };
}

/** Commander gives the arguments, then the options, then the command. An argument that was left out is undefined. */
function split(given: unknown[]): { options: CommandOptions; args: unknown[] } {
  const options = given.at(-2) as CommandOptions;
  return {
    options,
    args: given
      .slice(0, -2)
      .filter((one) => one !== undefined)
      .flat(),
  };
}
