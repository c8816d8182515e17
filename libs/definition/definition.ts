import type { Json, JsonObject } from '#libs/definition/values';

/** The types that a start input may declare. */
export const inputTypes = ['string', 'number', 'boolean', 'object', 'array', 'json', 'date'] as const;
export type InputType = (typeof inputTypes)[number];

/** What a run variable may hold; null is always allowed. */
export const variableTypes = ['string', 'number', 'boolean', 'object', 'array', 'json'] as const;

export const blockTypes = [
  'condition',
  'variables',
  'response',
  'http',
  'function',
  'human',
  'wait',
  'loop',
  'parallel',
  'workflow',
  'webhook',
  'llm',
  'router',
  'evaluator',
  'mcp',
] as const;
export type BlockType = (typeof blockTypes)[number];

/** Blocks that reach outside of the run, each with `retry`, `timeout` and secrets. */
export const effectTypes = ['http', 'function', 'webhook', 'llm', 'router', 'evaluator', 'mcp'] as const;
export type EffectType = (typeof effectTypes)[number];

export function isEffectType(type: string): type is EffectType {
  return effectTypes.some((one) => one === type);
}

/** The field types of the form that a paused run shows. */
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

/** One declared input of a workflow. Bounds of a kind apply to values of that kind only. */
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

interface Common {
  id: string;
  name?: string;
  description?: string;
}

export interface ConditionBlock extends Common {
  type: 'condition';
  /** In order: the first that holds gives its port; when none does, the port is `else`. */
  cases: { port: string; when: string }[];
}

export interface VariablesBlock extends Common {
  type: 'variables';
  params: { set: JsonObject };
}

export interface ResponseBlock extends Common {
  type: 'response';
  params: { data?: Json; status?: number | string; headers?: JsonObject; raw?: boolean };
}

interface Effect extends Common {
  retry?: Retry;
  timeout?: Duration;
}

export interface HttpBlock extends Effect {
  type: 'http';
  params: {
    /** GET when left out. */
    method?: string;
    url: string;
    headers?: JsonObject;
    query?: JsonObject;
    body?: Json;
    idempotent?: boolean;
    followRedirects?: boolean;
    maxResponseBytes?: number;
  };
}

export interface FunctionBlock extends Effect {
  type: 'function';
  /** `code` is JavaScript, never a template; `input` is what it is given. */
  params: { code: string; input?: Json };
}

/** `secret` and `apiKey` here and below name a secret of the workspace. */
export interface WebhookBlock extends Effect {
  type: 'webhook';
  params: { url: string; event: string; secret: string; data?: Json; headers?: JsonObject };
}

export interface McpBlock extends Effect {
  type: 'mcp';
  params: {
    url: string;
    tool: string;
    arguments?: JsonObject | string;
    headers?: JsonObject;
    idempotent?: boolean;
  };
}

interface ModelParams {
  model: string;
  apiKey?: string;
  /** The one of the installation when left out. */
  baseUrl?: string;
  temperature?: number | string;
  maxTokens?: number | string;
}

export interface LlmBlock extends Effect {
  type: 'llm';
  params: ModelParams & {
    system?: string;
    prompt?: string;
    messages?: { role: string; content: string }[] | string;
    /** What the answer must satisfy; never a template. */
    responseSchema?: JsonObject;
  };
}

export interface RouterBlock extends Effect {
  type: 'router';
  params: ModelParams & {
    input: Json;
    routes: { port: string; description: string }[];
    instructions?: string;
  };
}

export interface EvaluatorBlock extends Effect {
  type: 'evaluator';
  params: ModelParams & {
    content: Json;
    metrics: { name: string; description: string; min: number; max: number }[];
    instructions?: string;
  };
}

export type EffectBlock =
  | HttpBlock
  | FunctionBlock
  | WebhookBlock
  | LlmBlock
  | RouterBlock
  | EvaluatorBlock
  | McpBlock;

export interface HumanBlock extends Common {
  type: 'human';
  params: {
    title: string;
    message?: string;
    fields?: { label: string; value: Json; format?: string }[];
    form?: FormFieldInput[];
    expiresAfter?: Duration;
    onExpiry?: 'fail' | 'continue';
    approvals?: {
      required?: number;
      veto?: boolean;
      allowStarter?: boolean;
      assignees?: string[];
      roles?: ('admin' | 'editor' | 'viewer')[];
      decision?: string;
    };
    notify?: { emails?: string[]; webhook?: { url: string; secret: string } };
    /** From the opening of the pause. */
    reminders?: Duration[];
    escalation?: { after: Duration; to: string[] };
    metadata?: JsonObject;
  };
}

/** A form field as it is written: `label` defaults to the name, `required` to false. */
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

export interface WaitBlock extends Common {
  type: 'wait';
  params: { duration: Duration } | { until: string };
}

/** A graph of its own inside a container: it runs once an iteration or branch. */
export interface Graph {
  blocks: Block[];
  edges: Edge[];
}

/** What a container may run over: a number, or the members of a list. A template must come out as one. */
interface Over {
  count?: number | string;
  forEach?: Json;
  /** Rendered at the end of each iteration or branch; what it gives makes up `results`. */
  collect?: Json;
}

export interface LoopBlock extends Common {
  type: 'loop';
  params: Over & { while?: string; until?: string; maxIterations?: number };
  body: Graph;
}

export interface ParallelBlock extends Common {
  type: 'parallel';
  params: Over & { concurrency?: number; onBranchError?: 'fail' | 'collect' };
  body: Graph;
}

export type ContainerBlock = LoopBlock | ParallelBlock;

/** Another deployed workflow of the workspace, as a run of its own. */
export interface WorkflowBlock extends Common {
  type: 'workflow';
  params: { workflowId: string; inputs?: JsonObject };
}

export type Block =
  | ConditionBlock
  | VariablesBlock
  | ResponseBlock
  | HumanBlock
  | WaitBlock
  | ContainerBlock
  | WorkflowBlock
  | EffectBlock;

/** A way from one block to another. `port` is `out` when absent. */
export interface Edge {
  from: string;
  to: string;
  port?: string;
}

/** A workflow as its author writes it, after `validate` has passed it. */
export interface Definition extends Graph {
  $schema?: string;
  description?: string;
  start?: { inputs?: Record<string, StartInput>; description?: string };
  variables?: Record<string, Variable>;
}
