/** An embedder returned no vectors for a text. `passing` is true when a retry may succeed. */
export class EmbeddingRefused extends Error {
  override readonly name = 'EmbeddingRefused';

  constructor(
    message: string,
    readonly passing = false,
  ) {
    super(message);
  }
}
