import { laterOf, type WalPosition } from "../../engine/wal-position";

/** A standby that lags for longer than this is never read from: the largest HANDRAIL_READ_MAX_LAG_MS. */
export const LONGEST_LAG_MS = 3_600_000;
const OWNERS = 10_000;

interface Written {
  /** Null: the primary did not say it. */
  position: WalPosition | null;
  at: number;
}

/** The last writes of this process, by the owner who sent them: what reads of the same owner have to include. */
export class WritePositions {
  private readonly ofOwners = new Map<string, Written>();
  /** Of the owners that there was no room for. */
  private ofOthers: WalPosition | null = null;

  note(owner: string, position: WalPosition | null, now = performance.now()): void {
    this.ofOwners.delete(owner);
    this.ofOwners.set(owner, { position, at: now });
    for (const [oldest, written] of this.ofOwners) {
      const isOld = now - written.at > LONGEST_LAG_MS;
      if (!isOld && this.ofOwners.size <= OWNERS) return;
      this.ofOwners.delete(oldest);
      if (!isOld) this.ofOthers = laterOf(this.ofOthers, written.position);
    }
  }

  /** Undefined: the owner has written, and nobody knows until where. */
  of(owner: string): WalPosition | null | undefined {
    const own = this.ofOwners.get(owner);
    if (own?.position === null) return undefined;
    return laterOf(own?.position ?? null, this.ofOthers);
  }
}
