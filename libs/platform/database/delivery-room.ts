import { candidatesInTurn, type WaitingRows } from './fair-claim.ts';

/** A row that one receiver of one workspace is to get. */
export interface Deliverable {
  workspaceId: string;
  /** Rows with the same text go to the same receiver. */
  receiver: string;
}

/** The most deliveries under way in a process: in all, of one workspace, and to one receiver of a workspace. */
export interface RoomBounds {
  most: number;
  perWorkspace: number;
  perReceiver: number;
}

interface Courier<Row> {
  /** Claims due rows. The values are those of `claimByReceiver`. */
  claim(values: unknown[]): Promise<Row[]>;
  /** Delivers a row and writes the result. Never rejects. */
  deliver(row: Row): Promise<void>;
}

/** A turn begins no delivery after this time, and looks for due rows again after so long, in milliseconds. */
const [turnMs, lookAgainMs] = [5000, 250];

/**
 * The deliveries under way in this process. A slow receiver fills only its own places, so it delays neither other receivers nor other
 * workspaces.
 */
export class DeliveryRoom<Row extends Deliverable> {
  private readonly underWay = new Map<Row, Promise<void>>();

  constructor(
    private readonly bounds: RoomBounds,
    private readonly courier: Courier<Row>,
  ) {}

  /** Begins to deliver due rows, and further ones as places become free. Ends when none is due or the turn is over. */
  async deliverDue(): Promise<void> {
    const endsAtMs = performance.now() + turnMs;
    while (performance.now() < endsAtMs) {
      const begun = await this.fill();
      if (begun.length === 0) return;
      await halfEnded(begun);
    }
  }

  /** Resolves when the deliveries under way have ended. */
  async drain(): Promise<void> {
    await Promise.all(this.underWay.values());
  }

  private async fill(): Promise<Promise<void>[]> {
    const { most, perWorkspace, perReceiver } = this.bounds;
    const room = most - this.underWay.size;
    if (room <= 0) return [];
    const busy = (key: (row: Row) => string, atMost: number) => {
      const counts = new Map<string, number>();
      for (const row of this.underWay.keys()) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
      return [...counts].flatMap(([one, count]) => (count >= atMost ? [one] : []));
    };
    const rows = await this.courier.claim([
      room,
      perWorkspace,
      perReceiver,
      busy(({ workspaceId }) => workspaceId, perWorkspace),
      busy(({ workspaceId, receiver }) => `${workspaceId} ${receiver}`, perReceiver),
    ]);
    return rows.map((row) => {
      const delivery = this.courier.deliver(row).finally(() => this.underWay.delete(row));
      this.underWay.set(row, delivery);
      return delivery;
    });
  }
}

/**
 * Waits for the end of half of these deliveries, so that one claim fills several places. It does not wait long, because all of them may
 * go to receivers that hang.
 */
function halfEnded(deliveries: Promise<void>[]): Promise<void> {
  let left = Math.ceil(deliveries.length / 2);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lookAgainMs);
    const note = () => {
      left -= 1;
      if (left > 0) return;
      clearTimeout(timer);
      resolve();
    };
    for (const delivery of deliveries) void delivery.then(note);
  });
}

/**
 * SQL that locks due rows and returns their ids, those of all workspaces in turn. `receiver` is SQL that names the receiver of a row.
 * $1 most rows, $2 most of a workspace, $3 most of one of its receivers, $4 busy workspaces, $5 busy receivers, each after its workspace
 */
export function claimByReceiver(rows: WaitingRows, receiver: string): string {
  const { table, id, at, waits, also = 'true' } = rows;
  const isFree = `workspace_id <> all ($4::text[]) and workspace_id || ' ' || ${receiver} <> all ($5::text[])`;
  const candidates = candidatesInTurn({ ...rows, also: `${isFree} and ${also}` });
  return /* sql */ `
  with placed as (
    select f.fair_id, f.place, f.fair_at, workspace_id, row_number() over (partition by workspace_id, ${receiver} order by f.place) as in_receiver
    from (${candidates}) f join ${table} on ${id} = f.fair_id
  ), ranked as (
    select p.*, row_number() over (partition by workspace_id order by p.place) as in_workspace from placed p where p.in_receiver <= $3
  )
  select ${id} from ${table} where (${waits.join(' or ')}) and ${at} <= now() and ${id} = any (array(
    select fair_id from ranked where in_workspace <= $2 order by in_workspace, fair_at limit $1))
  for update skip locked`;
}
