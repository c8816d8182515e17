import type { Command } from 'commander';
import { UsageError } from './exit.ts';

const scripts: Record<string, string> = {
  bash: `_holdfast() {
  COMPREPLY=($(compgen -W "$(holdfast complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _holdfast holdfast
`,
  zsh: `#compdef holdfast
_holdfast() {
  local -a found
  found=(\${(f)"$(holdfast complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  compadd -- $found || _files
}
compdef _holdfast holdfast
`,
  fish: `complete -c holdfast -a '(holdfast complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};

/** The script by which a shell asks this program for the words that may follow. */
export function completionScript(shell: string): string {
  const script = scripts[shell];
  if (!script) throw new UsageError(`${shell} is not known; use ${Object.keys(scripts).join(', ')}.`);
  return script;
}

/** The words that may follow those before the last one, which is not whole yet; one a line. */
export function completeWords(program: Command, words: string[]): string {
  let command = program;
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next) command = next;
  }
  const last = words.at(-1) ?? '';
  const before = command.options.find(({ long, short }) => long === words.at(-2) || short === words.at(-2));
  const names = command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name());
  const options = [...command.options, ...program.options].map(({ long, short }) => long ?? short ?? '');
  const candidates = before?.argChoices ?? (last.startsWith('-') ? options : names);
  return candidates
    .filter((one) => one.startsWith(last))
    .map((one) => `${one}\n`)
    .join('');
}
