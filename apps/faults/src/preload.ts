/**
 * Loaded by `node --import` before each API and worker of a campaign. It sets their clock and their database URL, so
 * that the product needs no setting for either. It moves only JavaScript's `Date`, also in threads. Timers,
 * `performance.now()`, Temporal's native code and the clocks of all servers stay right.
 */
const program = /apps\/(api|worker)\/src\/main\.js$/.exec(process.argv[1] ?? '')?.[1];
const port = process.env['HOLDFAST_FAULTS_DATABASE_PORT'];
const ahead = process.env['HOLDFAST_FAULTS_WORKER_AHEAD_MS'];

if (program && port) {
  const direct = process.env['DATABASE_URL'] ?? '';
  const url = new URL(direct);
  url.port = port;
  process.env['DATABASE_DIRECT_URL'] = direct;
  process.env['DATABASE_URL'] = url.href;
}
// Threads run other programs, but inherit the environment of their process.
const isWorker = program === 'worker' || (program && process.env['ROLES'] === 'api,worker');
if (isWorker && ahead) process.env['HOLDFAST_FAULTS_AHEAD_MS'] = ahead;
const aheadMs = Number(process.env['HOLDFAST_FAULTS_AHEAD_MS'] ?? 0);
if (aheadMs !== 0) setClock(aheadMs);

function setClock(byMs: number): void {
  const RightDate = Date;
  const now = () => RightDate.now() + byMs;
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length > 0 ? args : [now()], self),
    apply: () => new RightDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
