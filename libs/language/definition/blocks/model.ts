import { credential, url } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';
import type { Shape } from '../shapes/shape.ts';

/** The parameters that every block that asks a model may have. */
export interface ModelParams {
  model: string;
  /** Reads a secret of the workspace. */
  apiKey?: string;
  /** That of the installation when absent. */
  baseUrl?: string;
  temperature?: number | string;
  maxTokens?: number | string;
}

export const promptText = shape.text({ min: 1, max: 131_072 });

/** The provider's name of the model. */
export const model = shape.text({ min: 1, max: 256 });

export const modelKeys: Record<string, Shape> = {
  apiKey: credential,
  baseUrl: url,
  temperature: shape.templated('a number from 0 to 2', shape.number({ min: 0, max: 2, fraction: true })),
  maxTokens: shape.templated('a whole number', shape.number({ min: 1, max: 1_000_000 })),
};
