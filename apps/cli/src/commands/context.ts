import type { Command } from 'commander';
import { type GlobalOptions, Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';

/** All commands share these: the terminal, and the options that stand before or behind their names. */
export interface CommandContext {
  terminal: Terminal;
  program: Command;
}

export type Options = Record<string, unknown>;
type Action = (...args: unknown[]) => Promise<void>;

export function getGlobals({ program }: CommandContext): GlobalOptions {
  return program.opts();
}

/** An action that needs no installation. Its arguments come behind its options. */
export function acting(
  context: CommandContext,
  run: (context: CommandContext, options: Options, ...args: unknown[]) => Promise<void>,
): Action {
  return async (...given) => {
    const { options, args } = split(given);
    await run(context, options, ...args);
  };
}

/** A command that calls an installation. */
export type SessionCommand = (session: Session, options: Options, ...args: string[]) => Promise<void>;

export function withSession(context: CommandContext, run: SessionCommand): Action {
  return async (...given) => {
    const { options, args } = split(given);
    const session = await Session.open(context.terminal, getGlobals(context));
    await run(session, options, ...args.map(String));
  };
}

/** Commander gives the arguments, then the options, then the command. An argument that was left out is undefined. */
function split(given: unknown[]): { options: Options; args: unknown[] } {
  const options = given.at(-2) as Options;
  return {
    options,
    args: given
      .slice(0, -2)
      .filter((one) => one !== undefined)
      .flat(),
  };
}
