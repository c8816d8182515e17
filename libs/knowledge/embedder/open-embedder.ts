import type { EmbedderSettings } from '#libs/platform/settings/embedder';
import type { Embedder } from './embedder.ts';
import { HashEmbedder } from './hash-embedder.ts';
import { LocalEmbedder } from './local-embedder.ts';
import { modelDimension, modelName } from './model.ts';

/**
 * The embedder that the settings name. The local one fetches its model here, so open it when the first text comes. What calls a server is
 * loaded only for that: a thread that counts tokens would take 100 ms and 20 MB for it.
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
