import { createHash } from 'node:crypto';
import { sameBytes } from '#libs/platform/crypto/crypto';
import { type Anchor, signedAnchor } from './anchor.ts';
import { type Begin, isOurBegin } from './begin.ts';

/** The head of one chain. There is one for each workspace that exists, has a head, or has entries. */
export interface Head extends Begin {
  workspaceId: string;
  /** Null when there is no head. */
  seq: string | null;
  hash: string;
}

export interface ChainLink {
  seq: string;
  hash: string;
  body: string;
  createdAt: Date;
}

/** The data that verifies a chain, in addition to its own entries. */
export interface Evidence {
  secret: string;
  anchors: Anchor[];
  /** The time for which entries are kept; null: for ever. */
  retentionMs: number | null;
}

/** Verifies one chain. Takes its entries in order and collects the faults. */
export class Proof {
  readonly faults: string[];
  entries = 0;
  private seq: number;
  private hash: string;
  private readonly anchored: Map<number, string>;

  constructor(
    private readonly head: Head,
    private readonly evidence: Evidence,
  ) {
    const [begin, { secret, anchors }] = [Number(head.anchorSeq), evidence];
    [this.seq, this.hash] = [begin, head.anchorHash];
    this.faults = isOurBegin(secret, head.workspaceId, head)
      ? []
      : [`the anchor at ${begin} was not left by this installation`];
    const forged = anchors.filter((anchor) => !sameBytes(anchor.mac, signedAnchor(secret, anchor).mac));
    this.faults.push(
      ...forged.map(({ seq }) => `the given anchor at ${seq} was not signed by this installation`),
    );
    this.anchored = new Map(anchors.map(({ seq }) => [seq, begin === seq ? head.anchorHash : '']));
  }

  next(link: ChainLink): void {
    this.faults.push(...faultsOf(link, this.seq, this.hash));
    [this.seq, this.hash, this.entries] = [Number(link.seq), link.hash, this.entries + 1];
    if (this.anchored.has(this.seq)) this.anchored.set(this.seq, this.hash);
  }

  end(): string[] {
    const { head, faults, seq, hash } = this;
    if (head.seq === null) faults.push(`the ${seq > 0 ? 'head of the ' : ''}chain is missing`);
    else if (seq !== Number(head.seq) || hash !== head.hash)
      faults.push(`the chain ends at ${seq}, and its head says ${head.seq}`);
    else if (seq === 0) faults.push('the chain is empty, and every workspace has an entry of its making');
    this.followAnchors();
    return faults;
  }

  private followAnchors(): void {
    const [begin, { anchors }] = [Number(this.head.anchorSeq), this.evidence];
    for (const { seq, hash } of anchors)
      if (seq >= begin && seq > 0 && this.anchored.get(seq) !== hash)
        this.faults.push(`entry ${seq} is not the one of the given anchor`);
    const early = anchors.filter((anchor) => anchor.seq <= begin && !this.mayBeGone(anchor));
    if (early.length > 0)
      this.faults.push(
        `the entries up to ${Math.max(...early.map(({ seq }) => seq))} are missing, which are too young to be deleted`,
      );
  }

  /** True when retention may have deleted the entry of the anchor. An anchor without a time counts as old as the last deleted entry. */
  private mayBeGone({ createdAt }: Anchor): boolean {
    const [{ retentionMs }, { anchorAt }] = [this.evidence, this.head];
    const at = createdAt === undefined ? anchorAt?.getTime() : Date.parse(createdAt);
    return retentionMs !== null && at !== undefined && at < Date.now() - retentionMs;
  }
}

function faultsOf({ seq, hash, body, createdAt }: ChainLink, before: number, previous: string): string[] {
  const place = Number(seq);
  if (place !== before + 1) return [`entry ${before + 1} is missing`];
  const computed = createHash('sha256').update(Buffer.from(previous, 'hex')).update(body).digest('hex');
  if (computed !== hash) return [`entry ${place} is not what was appended`];
  const said = JSON.parse(body) as { seq: number; createdAt: string };
  if (said.seq !== place || said.createdAt !== createdAt.toISOString())
    return [`entry ${place} stands in another place or time than it says`];
  return [];
}
