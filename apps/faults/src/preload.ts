/**
 * Loaded by `node --import` before API and worker of a campaign, and before no other: it sets their clock and their way to the
 * database, so that the product needs no setting for either. The clock is that of JavaScript alone: `Date`, also in threads. Timers,
 * `performance.now()`, Temporal's own code within the process and the clocks of all servers go right.
 */
const program = /apps\/(api|worker)\/src\/main\.js$/.exec(process.argv[1] ?? '')?.[1];
const pooler = process.env['HOLDFAST_FAULTS_POOLER'];
const ahead = process.env['HOLDFAST_FAULTS_WORKER_AHEAD_MS'];

if (program && pooler) {
  const direct = process.env['DATABASE_URL'] ?? '';
  const url = new URL(direct);
  url.port = pooler;
  process.env['DATABASE_DIRECT_URL'] = direct;
  process.env['DATABASE_URL'] = url.href;
}
// Threads have other programs, and the environment of their process.
if (program === 'worker' && ahead) process.env['HOLDFAST_FAULTS_AHEAD_MS'] = ahead;
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
