import { modelFiles } from './model.ts';

// Downloads the local model into the cache before its first use, for example during the build of an image.
await modelFiles();
