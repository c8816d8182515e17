import type { JsonObject } from '#libs/platform/json/json';
import type { ImportedTrigger } from './triggers.ts';

/** The products whose files can be imported. */
export const importSources = ['n8n', 'sim'] as const;
export type ImportSource = (typeof importSources)[number];

/** `kept` does the same as before, `changed` does it in another way, `refused` has to be made by hand. */
export const importOutcomes = ['kept', 'changed', 'refused'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];

/** The outcome of one block of the file. */
export interface ImportedBlock {
  name: string;
  /** The type that the block has in the other product. */
  type: string;
  outcome: ImportOutcome;
  /** The id of the block that it became, `start`, or null when there is none for it. */
  becomes: string | null;
  note: string;
}

/** The kinds of things that a file names and does not hold. */
export const importNeeds = ['secret', 'table', 'knowledgeBase', 'workflow', 'mcpServer', 'trigger'] as const;
export type ImportNeedKind = (typeof importNeeds)[number];

/** Something that must be made before the workflow can run. */
export interface ImportNeed {
  kind: ImportNeedKind;
  name: string;
  note: string;
  /** For a trigger that can be made: its settings, one for each time or address. */
  triggers: ImportedTrigger[];
}

export interface ConversionReport {
  summary: Record<ImportOutcome, number>;
  blocks: ImportedBlock[];
  needs: ImportNeed[];
  /** What is different or left out in the workflow as a whole, in sentences. */
  notes: string[];
}

export interface ImportedWorkflow {
  /** Absent when the file names no workflow. */
  name?: string;
  description: string;
  definition: JsonObject;
  report: ConversionReport;
}

/** Things of the workspace to which a file refers. */
export interface Surroundings {
  /** The ids of workflows by their names. */
  workflows: ReadonlyMap<string, string>;
}

/** Collects what must be made, each once. */
export class Needs {
  private readonly known = new Map<string, ImportNeed>();

  addNeed(kind: ImportNeedKind, name: string, note: string, triggers: ImportedTrigger[] = []): void {
    const key = JSON.stringify([kind, name]);
    if (!this.known.has(key)) this.known.set(key, { kind, name, note, triggers });
  }

  get all(): ImportNeed[] {
    return [...this.known.values()];
  }
}

/** A part of a block that has no counterpart: the block becomes a placeholder with this sentence. */
export class NotMapped extends Error {}
