import type { Flow } from './shapes/flow-shapes.ts';
import type { Json } from '#libs/platform/json/json';

import type { Block } from './blocks/registry.ts';

/** The types that a start input may declare. */
export const inputTypes = ['string', 'number', 'boolean', 'object', 'array', 'json', 'date'] as const;
export type InputType = (typeof inputTypes)[number];

/** The types of a run variable; null is always allowed. */
export const variableTypes = ['string', 'number', 'boolean', 'object', 'array', 'json'] as const;

/** The types of a field in the form that a paused run shows. */
export const fieldTypes = [
  'string',
  'text',
  'number',
  'boolean',
  'date',
  'select',
  'multiselect',
  'json',
  'file',
] as const;

/** One declared input of a workflow. Bounds for one type apply to values of that type only. */
export interface StartInput {
  type: InputType;
  required?: boolean;
  default?: Json;
  description?: string;
  min?: number;
  max?: number;
  minLength?: number;
  maxLength?: number;
  enum?: Json[];
}

export interface Variable {
  type: (typeof variableTypes)[number];
  initial?: Json;
  description?: string;
}

/** An ISO-8601 duration, or seconds. */
export type Duration = string | number;

export interface Retry {
  maxAttempts?: number;
  initialDelay?: Duration;
  backoff?: number;
  retryOn?: string[];
}

/** What happens when a call has failed and its retries are used up: it fails, or an operator is asked. */
export const failureChoices = ['fail', 'pause'] as const;
export type OnFailure = (typeof failureChoices)[number];

/** A form field as its author writes it: `label` defaults to the name, `required` to false. */
export interface FormFieldInput {
  name: string;
  type: (typeof fieldTypes)[number];
  label?: string;
  description?: string;
  placeholder?: string;
  required?: boolean;
  options?: (string | { label: string; value: string })[];
  default?: Json;
  min?: number;
  max?: number;
}

/** A graph of its own inside a container: it runs once in each iteration or branch. */
export interface Graph {
  blocks: Block[];
  edges: Edge[];
}

/** An edge from one block to another. `port` is `out` when absent. */
export interface Edge {
  from: string;
  to: string;
  port?: string;
}

/** A workflow as its author writes it, after `validate` has passed it. */
export interface Definition extends Graph {
  $schema?: string;
  description?: string;
  start?: {
    inputs?: Record<string, StartInput>;
    /** A template over the inputs: the title of each execution. */
    title?: string;
    description?: string;
    flow?: Flow;
    /** What starts it by itself. A deploy makes these triggers. */
    triggers?: Json[];
  };
  variables?: Record<string, Variable>;
  /** For calls that do not say it themselves. */
  onFailure?: OnFailure;
}
