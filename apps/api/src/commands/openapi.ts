import 'reflect-metadata';
import { writeFile } from 'node:fs/promises';
import { formatJson } from '#libs/platform/json/format-json';
import { createApi } from '../create-api.ts';
import { describeApi } from '../openapi-document.ts';

/** Writes openapi.json, or the named file. It needs no database. */
const target = process.argv[2] ?? 'apps/api/openapi.json';
const app = await createApi(
  { bodyBytesMax: 1024, trustedProxies: [], publicCallsPerMinute: 1, metricsOn: false, roles: 'api' },
  { preview: true, logger: false },
);
await writeFile(target, formatJson(describeApi(app)));
process.exit(0);
