import { WrongSettings } from './environment.ts';
import { Settings } from './settings.ts';

/** The settings of this process. Wrong ones end it with code 1, after one line for each on standard error. */
export function settingsOrExit(): Settings {
  try {
    return new Settings();
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
