import { ApplicationFailure } from '@temporalio/common';
import { pack, type Packed } from '#libs/runs/executions/record/pack';
import { Unstorable } from '#libs/runs/executions/record/storable';
import { withoutSecrets } from '../effects/redact.ts';
import { type LargeOutput, readOutput } from './large-output.ts';

export interface OutputTask {
  output: LargeOutput;
  secrets: Record<string, string>;
}

/** The packed output, or the failure of the block. An error loses its class on its way between threads. */
export type ReadOutput =
  | Packed
  | { failure: { type: string; message: string; details: unknown[] } }
  | { tooDeep: string };

/** Reads an output, screens it, removes secrets from it and packs it. */
export default function readInThread({ output, secrets }: OutputTask): ReadOutput {
  try {
    return pack(withoutSecrets(readOutput(output), secrets));
  } catch (error) {
    if (error instanceof Unstorable) return { tooDeep: error.message };
    if (!(error instanceof ApplicationFailure)) throw error;
    const { type, message, details } = error;
    return { failure: { type: type ?? 'FAILED', message, details: details ?? [] } };
  }
}
