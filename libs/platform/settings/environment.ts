import { accessSync, constants, readFileSync } from 'node:fs';

/** The environment is wrong, so the process cannot start. The message has one line for each wrong variable. */
export class WrongSettings extends Error {
  override readonly name = 'WrongSettings';
}

interface NumberRange {
  min: number;
  max: number;
}

/** The settings that must not be seen. Each may stand in a file instead, whose path is in `NAME_FILE`. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'HOLDFAST_SECRET',
  'PAYLOAD_KEYS',
  'CODEC_TOKEN',
  'TEMPORAL_API_KEY',
  'EMBEDDING_API_KEY',
  'SMTP_URL',
  'OIDC_PROVIDERS',
  'METRICS_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'TEMPORAL_DATABASE_URL',
  'BACKUP_PASSPHRASE',
] as const;

/**
 * Reads the variables of an environment. For a wrong variable it returns the fallback and adds a sentence to `problems`, so that a boot
 * can report all wrong variables at once. An empty variable counts as not set.
 */
export class Environment {
  readonly problems: string[] = [];

  private readonly env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.env = { ...env };
    for (const name of secretSettings) this.readFile(name, `${name}_FILE`);
  }

  /** The secret settings that are set, by name, wherever each stands. */
  get secrets(): Record<string, string> {
    return Object.fromEntries(
      secretSettings.flatMap((name) => {
        const value = this.env[name];
        return value ? [[name, value]] : [];
      }),
    );
  }

  /** Takes a secret from the file that `NAME_FILE` names, without the line break at its end. */
  private readFile(name: string, variable: string): void {
    const path = this.env[variable];
    if (!path) return;
    if (this.env[name]) this.problems.push(`${name} and ${variable} are both set: give one of them.`);
    try {
      this.env[name] = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
      if (!this.env[name]) this.problems.push(`${variable}: the file ${path} is empty.`);
    } catch (error) {
      const { code = 'it failed' } = error as NodeJS.ErrnoException;
      this.problems.push(`${variable}: the file ${path} cannot be read (${code}).`);
    }
  }

  /** Reads a variable. For a wrong text, `parse` returns undefined, or throws an error whose message is the problem. */
  parsed<T, F>(name: string, fallback: F, rule: string, parse: (text: string) => T | undefined): T | F {
    const text = this.env[name];
    if (!text) return fallback;
    try {
      const value = parse(text);
      if (value !== undefined) return value;
      this.problems.push(`${name} must be ${rule}: it is ${JSON.stringify(text)}.`);
    } catch (error) {
      this.problems.push(error instanceof Error ? error.message : String(error));
    }
    return fallback;
  }

  text<F>(name: string, fallback: F, rule: string, pattern: RegExp): string | F {
    return this.parsed(name, fallback, rule, (text) => (pattern.test(text) ? text : undefined));
  }

  whole<F>(name: string, fallback: F, { min, max }: NumberRange): number | F {
    const rule = `a whole number from ${min} to ${max}`;
    return this.parsed(name, fallback, rule, (text) => parseNumber(text, /^\d+$/, min, max));
  }

  decimal<F>(name: string, fallback: F, { min, max }: NumberRange): number | F {
    const rule = `a number from ${min} to ${max}`;
    return this.parsed(name, fallback, rule, (text) => parseNumber(text, /^\d+(\.\d+)?$/, min, max));
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const rule = `one of ${allowed.join(', ')}`;
    return this.parsed(name, fallback, rule, (text) => allowed.find((one) => one === text));
  }

  /** Reads an http or https URL. Removes the slashes at its end. */
  httpUrl<F>(name: string, fallback: F): string | F {
    return this.parsed(name, fallback, 'an http or https URL', (text) => {
      let url = text;
      while (url.endsWith('/')) url = url.slice(0, -1);
      return hasScheme(text, /^https?:$/) ? url : undefined;
    });
  }

  file(name: string): string | undefined {
    return this.parsed(name, undefined, 'the path of a file that can be read', readable);
  }

  secret<F>(name: string, fallback: F, lengthMin: number): string | F {
    return this.hidden(
      name,
      fallback,
      `have at least ${lengthMin} characters`,
      (text) => text.length >= lengthMin,
    );
  }

  secretUrl<F>(name: string, fallback: F, rule: string, schemes: RegExp): string | F {
    return this.hidden(name, fallback, `be ${rule}`, (text) => hasScheme(text, schemes));
  }

  required(...names: string[]): void {
    // A file that cannot be read has its own line.
    for (const name of names)
      if (!this.env[name] && !this.env[`${name}_FILE`]) this.problems.push(`${name} must be set.`);
  }

  together(...names: string[]): void {
    const set = names.filter((name) => this.env[name]);
    if (set.length > 0 && set.length < names.length)
      this.problems.push(`${names.join(' and ')} must be set together.`);
  }

  /** Throws `WrongSettings` when a variable was wrong. */
  finish(): void {
    if (this.problems.length > 0) throw new WrongSettings(this.problems.join('\n'));
  }

  /** Reads a secret: the sentence about a wrong value does not show it. */
  hidden<F>(name: string, fallback: F, rule: string, holds: (text: string) => boolean): string | F {
    return this.parsed(name, fallback, rule, (text) => {
      if (!holds(text)) throw new Error(`${name} must ${rule}.`);
      return text;
    });
  }
}

function parseNumber(text: string, pattern: RegExp, min: number, max: number): number | undefined {
  const value = Number(text);
  return pattern.test(text) && value >= min && value <= max ? value : undefined;
}

function hasScheme(text: string, schemes: RegExp): boolean {
  return URL.canParse(text) && schemes.test(new URL(text).protocol);
}

function readable(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch {
    return undefined;
  }
}
