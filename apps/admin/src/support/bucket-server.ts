import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#apps/local/src/ports';
import { cacheFolder } from '#libs/platform/binaries/cache-folder';
import { soon } from '#libs/platform/settings/support/soon';

const program = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';
const buildMsMax = 15 * 60_000;

/** A server of the S3 protocol that keeps its objects as files. It checks signatures and conditions, as Amazon's does. */
export class BucketServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly address: string,
  ) {}

  /** Builds the server once, and starts it with one empty bucket. */
  static async start(folder: string, bucket: string, host = '127.0.0.1'): Promise<BucketServer> {
    const server = new BucketServer(folder, `${host}:${await freePort(0, host)}`);
    for (const path of [server.pathTo(bucket), join(folder, 'about')]) mkdirSync(path, { recursive: true });
    await server.again();
    return server;
  }

  /** What the AWS tools need to reach it. */
  get env(): Record<string, string> {
    return {
      AWS_ENDPOINT_URL_S3: `http://${this.address}`,
      AWS_REGION: '',
      AWS_ACCESS_KEY_ID: 'TESTKEY',
      AWS_SECRET_ACCESS_KEY: 'a-secret-of-tests',
    };
  }

  /** The file of an object, or the folder of a bucket. */
  pathTo(...names: string[]): string {
    return join(this.folder, 'buckets', ...names);
  }

  /** Starts it, also after it was killed. */
  async again(): Promise<void> {
    const { AWS_ENDPOINT_URL_S3: url = '', AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = this.env;
    const env = {
      ...process.env,
      ROOT_ACCESS_KEY_ID: AWS_ACCESS_KEY_ID,
      ROOT_SECRET_ACCESS_KEY: AWS_SECRET_ACCESS_KEY,
    };
    const args = ['--quiet', '--port', this.address, 'posix'];
    args.push('--sidecar', join(this.folder, 'about'), this.pathTo());
    this.child = spawn(buildBucketServer(), args, { env, stdio: 'ignore' });
    const answers = () =>
      fetch(url).then(
        () => true,
        () => false,
      );
    await soon(answers);
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }
}

/** Builds the server from its source, which takes minutes the first time on a machine. Returns its program. */
export function buildBucketServer(): string {
  const folder = join(cacheFolder(), 'deployment');
  const env = {
    ...process.env,
    GOPATH: join(folder, 'go'),
    GOCACHE: join(folder, 'gocache'),
    GOBIN: join(folder, program.replaceAll('/', '-')),
    CGO_ENABLED: '0',
  };
  execFileSync('go', ['install', program], { env, stdio: 'pipe', timeout: buildMsMax });
  return join(env.GOBIN, 'versitygw');
}
