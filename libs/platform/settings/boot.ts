import { WrongSettings } from './environment.ts';
import { Settings } from './settings.ts';

/** The settings of this process. If a variable is wrong, writes a line for each to standard error and exits with code 1. */
export function settingsOrExit(): Settings {
  try {
    return new Settings();
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
