import { writeClients } from './generate.ts';

await writeClients();
