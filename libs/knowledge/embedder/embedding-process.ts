import { InferenceSession, Tensor } from 'onnxruntime-node';

/** A task of the process: to compute the vector of a text, given by its token ids. */
export interface EmbeddingTask {
  id: number;
  tokens: number[];
}

/** The vector, of length 1, or an error message. */
export type EmbeddingReply = { id: number; vector: Float32Array } | { id: number; error: string };

/** Computes a single vector. Texts are not batched: with integer weights, other texts in a batch would change the vector of a text. */
async function computeVector(session: InferenceSession, tokens: number[]): Promise<Float32Array> {
  const shape = [1, tokens.length];
  const outputs = await session.run({
    input_ids: new Tensor('int64', BigInt64Array.from(tokens, BigInt), shape),
    attention_mask: new Tensor('int64', new BigInt64Array(tokens.length).fill(1n), shape),
    token_type_ids: new Tensor('int64', new BigInt64Array(tokens.length), shape),
  });
  const output = outputs['last_hidden_state'];
  if (!(output?.data instanceof Float32Array)) throw new Error('The model gives no last_hidden_state.');
  // In this model the vector of the first token represents the whole text.
  const first = output.data.slice(0, output.dims.at(-1));
  const length = Math.hypot(...first);
  if (!(length > 0)) throw new Error('The model gives a vector without a direction.');
  return first.map((value) => value / length);
}

const [weights = ''] = process.argv.slice(2);
const opening = InferenceSession.create(weights, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  logSeverityLevel: 3,
});
// Each task reports the error itself when the model cannot be loaded.
opening.catch(() => undefined);

process.on('message', ({ id, tokens }: EmbeddingTask) => {
  opening
    .then((session) => computeVector(session, tokens))
    .then(
      (vector): EmbeddingReply => ({ id, vector }),
      (error: unknown): EmbeddingReply => ({
        id,
        error: error instanceof Error ? error.message : String(error),
      }),
    )
    .then((reply) => process.send?.(reply))
    .catch(() => process.exit(1));
});
// The parent process may have been killed.
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
