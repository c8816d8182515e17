import type { EmbedderSettings } from '#libs/platform/settings/embedder';
import type { Embedder } from './embedder.ts';
import { HashEmbedder } from './hash-embedder.ts';
import { LocalEmbedder } from './local-embedder.ts';
import { modelDimension, modelName } from './model.ts';

/**
 * Opens the embedder of the settings. The local embedder downloads its model here, so open it only for the first text.
 * The code of the remote embedder is loaded only when it is used. Otherwise each thread that counts tokens would need 100 ms and 20 MB more.
 */
export async function openEmbedder(settings: EmbedderSettings): Promise<Embedder> {
  if (settings.kind === 'hash') return new HashEmbedder();
  if (settings.kind === 'local') return LocalEmbedder.open(settings);
  const { RemoteEmbedder } = await import('./remote-embedder.ts');
  return new RemoteEmbedder(settings);
}

/** Gives the model and dimension that a base is bound to, without opening the embedder. */
export async function boundTo(settings: EmbedderSettings): Promise<Pick<Embedder, 'model' | 'dimension'>> {
  if (settings.kind === 'hash') return new HashEmbedder();
  if (settings.kind === 'local')
    return { model: await modelName(settings.folder), dimension: modelDimension };
  return { model: settings.model, dimension: settings.dimension };
}
