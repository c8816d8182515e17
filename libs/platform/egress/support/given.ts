import {
  type CallGate,
  Egress,
  EgressFailed,
  type EgressPolicy,
  type EgressRequest,
  type EgressResponse,
} from '../egress.ts';
import { Hostile } from './hostile.ts';

/** Two servers of one spec file, and the `Egress` objects that its tests made. */
export interface Given {
  server: Hostile;
  other: Hostile;
}

const opened: Egress[] = [];

/** Starts both servers before the first test and stops them after the last. Clears what they recorded before each test. */
export function givenServers(): Given {
  const given: Partial<Given> = {};
  beforeAll(async () => {
    Object.assign(given, { server: await Hostile.start(), other: await Hostile.start() });
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((egress) => egress.close()));
    for (const hostile of [given.server, given.other]) hostile?.forget();
  });
  afterAll(async () => {
    await given.server?.stop();
    await given.other?.stop();
  });
  return given as Given; // whole before the first test runs
}

/** `named.example` and `other.example` are this machine and may be called; every other name is this machine and may not. */
export function egressWith(
  policy: Partial<EgressPolicy> = {},
  resolve = async (_name: string) => ['127.0.0.1'],
): Egress {
  const egress = new Egress({ allow: ['named.example', 'other.example'], ...policy }, resolve);
  opened.push(egress);
  return egress;
}

export function at(hostile: Hostile, path: string, name = 'named.example'): string {
  return `http://${name}:${hostile.port}${path}`;
}

/** A GET of the URL with a new `Egress`. `rest` and `policy` can change this. */
export function call(
  url: string,
  rest: Partial<EgressRequest> = {},
  policy?: Partial<EgressPolicy>,
): Promise<EgressResponse> {
  return egressWith(policy).request({ method: 'GET', url, ...rest });
}

/** The gate of a call that is wanted as long as it takes. */
export const openGate: CallGate = {
  isDoubtful: () => false,
  confirm: async () => undefined,
  enterMemory: async () => undefined,
};

/** The code and `sent` of a failure; for another error, its text. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  const error = await promise.then(
    () => 'an answer',
    (thrown: unknown) => thrown,
  );
  return error instanceof EgressFailed ? { code: error.code, sent: error.sent } : String(error);
}

export function text({ body }: EgressResponse): string {
  return Buffer.from(body).toString();
}
