import { credential, url } from '../expressions/atoms.ts';
import * as shape from '../shapes/shape.ts';

export const promptCharsMax = 131_072;

/** A text for a model. A rendered value that is no text is sent as JSON. */
export const promptText = shape.rendered(shape.text({ min: 1, max: promptCharsMax }), shape.json);

/** The provider's name of the model. */
export const model = shape.rendered(shape.text({ min: 1, max: 256 }), shape.filledText());

/** The parameters that every block that asks a model may have. */
export const modelKeys = {
  /** Reads a secret of the workspace. */
  apiKey: shape.rendered(credential, shape.filledText()),
  /** That of the installation when absent. */
  baseUrl: shape.rendered(url, shape.filledText()),
  temperature: shape.templated('a number from 0 to 2', shape.number({ min: 0, max: 2, fraction: true })),
  maxTokens: shape.templated('a whole number', shape.number({ min: 1, max: 1_000_000 })),
};
