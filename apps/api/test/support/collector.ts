import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';
import { unpackedWheel } from '#libs/platform/binaries/unpacked-wheel';
import { freePort } from '#apps/local/src/ports';

/** A wheel with a receiver of OTLP. It is used as a library, because running it would need more Python packages. */
const pin = {
  title: 'OtelTap 1.0.0, which receives traces in tests',
  package: 'oteltap',
  version: '1.0.0',
  tag: 'any',
  megabytes: 5,
  sha256: '8d614f32aa37d1d3f3b43ec3ba138eea71f9d679f74e9009bb77f1a213d0b48f',
  platform: 'any',
  isWanted: (entry: string) => entry.startsWith('oteltap/native/'),
};

const way =
  'Set HOLDFAST_TEST_COLLECTOR to the library of OtelTap for this machine: its wheel has those for x64 alone.';

/** Returns the library that receives traces, and throws where there is no Python to run it. */
export async function findCollector(): Promise<string> {
  await promisify(execFile)('python3', ['--version']);
  return process.env['HOLDFAST_TEST_COLLECTOR'] ?? (await packaged());
}

async function packaged(): Promise<string> {
  const folder = await unpackedWheel(pin, { cache: cacheFolder(), say: () => undefined });
  return join(folder, 'oteltap/native', `liboteltap_core.${process.platform === 'darwin' ? 'dylib' : 'so'}`);
}

/** Makes the library print each received span, until its input ends. */
const program = `
import ctypes, sys
start = ctypes.CDLL(sys.argv[1]).oteltap_start_receiving_http_protobuf
start.argtypes = [ctypes.c_uint16, ctypes.c_uint32] + [ctypes.c_char_p] * 3 + [ctypes.POINTER(ctypes.c_uint64)]
handle = ctypes.c_uint64(0)
if start(int(sys.argv[2]), 1, None, None, None, ctypes.byref(handle)) != 0: sys.exit(1)
print("ready", flush=True)
sys.stdin.read()`;

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  /** 2 means an error. */
  status: { code: number };
}

/** A collector of traces by another author. */
export class Collector {
  readonly spans: ReceivedSpan[] = [];

  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<Collector> {
    const port = await freePort();
    const library = await findCollector();
    const child = spawn('python3', ['-c', program, library, String(port)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const collector = new Collector(`http://127.0.0.1:${port}`, child);
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`The collector ended with ${code}. ${way}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line === 'ready') resolve();
        else collector.spans.push(JSON.parse(line));
      });
    });
    return collector;
  }

  stop(): void {
    this.child.stdin?.end();
  }
}
