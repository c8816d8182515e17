import { ApplicationFailure } from '@temporalio/common';

/** Shorter values would match by chance and tear holes into honest output. */
const lengthMin = 6;

/**
 * The same output or failure with every occurrence of a secret's value taken out: a server that echoes a credential,
 * or an error that quotes a URL, must not carry it into history, logs or answers.
 */
export function withoutSecrets<T>(value: T, secrets: Record<string, string>): T {
  const values = Object.values(secrets).filter((secret) => secret.length >= lengthMin);
  if (values.length === 0) return value;
  if (value instanceof ApplicationFailure) {
    return ApplicationFailure.create({
      type: value.type ?? undefined,
      message: clean(value.message, values),
      nonRetryable: value.nonRetryable ?? true,
      details: cleanJson(value.details ?? [], values),
    }) as T;
  }
  if (value instanceof Error) return value;
  return cleanJson(value, values);
}

function cleanJson<T>(value: T, secrets: string[]): T {
  const text = JSON.stringify(value);
  if (text === undefined) return value;
  const quoted = secrets.map((secret) => JSON.stringify(secret).slice(1, -1));
  return quoted.some((secret) => text.includes(secret)) ? JSON.parse(clean(text, quoted)) : value;
}

function clean(text: string, secrets: string[]): string {
  return secrets.reduce((out, secret) => out.replaceAll(secret, '[secret]'), text);
}
