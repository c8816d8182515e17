import { findHeaderFault } from '#libs/platform/text/header-faults';
import { durationMs, momentMs } from '../durations.ts';
import { isSendable } from '../types.ts';
import * as shape from '../shapes/shape.ts';
import { at, isTemplate, type Report, ruled, type Shape } from '../shapes/shape.ts';

/** The form of a CEL identifier. */
export const identifier = /^[A-Za-z_][A-Za-z0-9_]*$/;
export const nameText = shape.text({
  min: 1,
  max: 64,
  pattern: identifier,
  says: 'a name of letters, digits and _ that does not begin with a digit',
});
export const portName = shape.text({
  min: 1,
  max: 64,
  pattern: /^[A-Za-z_][A-Za-z0-9_-]*$/,
  says: 'a port name',
});
/** Ports that no case of a condition and no route may have: they have a meaning already. */
export const reservedPorts = ['out', 'else', 'error', 'expired'];
export const anyText = shape.text({ max: 65_536 });
export const description = shape.text({ max: 2000 });
export const isNumber = (value: unknown): boolean => typeof value === 'number';

/** Seconds or an ISO-8601 duration, within bounds. */
export function duration({
  minMs = 0,
  maxMs,
  template = false,
}: {
  minMs?: number;
  maxMs: number;
  template?: boolean;
}): Shape<string | number> {
  const says = 'an ISO-8601 duration as "PT30S", or seconds';
  const written = ruled(shape.text({ min: 1, max: 64, says }), (value, path, report) => {
    const ms = durationMs(value);
    if (ms === undefined) report(path, 'duration', `It must be ${says}.`);
    else if (ms < minMs || ms > maxMs)
      report(path, 'range', `It must be from ${minMs / 1000} to ${maxMs / 1000} seconds.`);
  });
  const seconds = shape.number({ min: minMs / 1000, max: maxMs / 1000, fraction: true });
  const either = shape.either(says, [isNumber, seconds], [(value) => typeof value === 'string', written]);
  return template ? shape.templated(says, either) : either;
}

/** A literal ISO 8601 date or date-time. */
export function moment(): Shape<string> {
  return ruled(shape.text({ min: 1, max: 64 }), (value, path, report) => {
    if (momentMs(value) === undefined) report(path, 'moment', 'It must be an ISO 8601 date or date-time.');
  });
}

const headerName = shape.text({
  min: 1,
  max: 256,
  pattern: /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/,
  says: 'a header name',
});
const headerText = ruled(shape.text({ max: 8192 }), (value, path, report) => {
  // An expression may hold any character; what it comes to is looked at when the block runs.
  const isOne = isTemplate(value) ? !/[\r\n]/.test(value) : isSendable(value);
  if (!isOne) report(path, 'pattern', 'It must be one line of visible ASCII or Latin-1 characters.');
});
/** The value that a template comes to is sent as JSON when it is no text, and not at all when it is null. */
const headerValue = shape.rendered(
  shape.either(
    'text, a number or a boolean',
    [isNumber, shape.anyNumber],
    [(value) => typeof value === 'boolean', shape.boolean],
    [(value) => typeof value === 'string', headerText],
  ),
  shape.json,
);
export const headers = ruled(shape.record(headerName, headerValue, { max: 100 }), (value, path, report) => {
  const names = Object.keys(value);
  for (const i of repeated(names.map((name) => name.toLowerCase())))
    report(
      at(path, names[i] ?? ''),
      'duplicate_name',
      'It is there twice: large and small letters are the same in its name.',
    );
});

/** Headers of a call, which sets some itself. */
export const sentHeaders = ruled(headers, (value, path, report) => {
  for (const [name, text] of Object.entries(value)) {
    const fault = findHeaderFault(name, isTemplate(text) ? undefined : String(text));
    if (fault !== undefined) report(at(path, name), 'header', fault);
  }
});

/** An http address, or a template for one. */
export const url = ruled(shape.text({ min: 1, max: 8192 }), (value, path, report) => {
  if (!isTemplate(value) && !/^https?:\/\/[^\s/]/i.test(value))
    report(path, 'url', 'It must begin with http:// or https://.');
});

/**
 * A credential, which must read a secret. Written out it would be in every copy and version of the definition,
 * where everyone who may read them could read it.
 */
export const credential = ruled(shape.text({ min: 1, max: 1024 }), (value, path, report) => {
  if (!isTemplate(value) || !/\bsecrets\./.test(value))
    report(path, 'secret_in_clear', 'Keep it as a secret of the workspace and write {{ secrets.NAME }}.');
});

/** Reports a lower bound that is above the upper; `bounds` has the lower one first. */
export function checkBounds(path: string, report: Report, bounds: Record<string, number | undefined>): void {
  const [low, high] = Object.entries(bounds);
  if (low?.[1] === undefined || high?.[1] === undefined || low[1] <= high[1]) return;
  report(at(path, low[0]), 'range', `It must not be larger than ${high[0]}.`);
}

/** The indexes at which a value occurs again. */
export function repeated(values: string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, i) => {
    const again = seen.has(value);
    seen.add(value);
    return again ? [i] : [];
  });
}
