import { modelFiles } from './model.ts';

// Brings the local model into the cache ahead of its first use, as where an image is built.
await modelFiles();
