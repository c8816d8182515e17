/** No vectors came of a text. `passing` says whether another attempt may end otherwise. */
export class EmbeddingRefused extends Error {
  override readonly name = 'EmbeddingRefused';

  constructor(
    message: string,
    readonly passing = false,
  ) {
    super(message);
  }
}
