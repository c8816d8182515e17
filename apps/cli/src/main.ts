import { runProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

// A reader that has seen enough closes the pipe: `holdfast logs | head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await runProgram(processTerminal(), process.argv.slice(2));
