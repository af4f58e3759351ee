import type { ClientBase } from "pg";
import { HandrailError } from "../../engine/errors";

/*
 * A standby that takes over begins a new timeline. Unless every commit had waited for it, it may lack the last ones: runs have
 * gone back in time, and an epoch that this process holds may be given out a second time. So nobody goes on across such a
 * change: a process that holds claims drops them before any of its connections reaches the new primary, and starts anew.
 */

/** Read apart from everything else: not every service that speaks Postgres tells it, and nothing may fail for that. */
const ASK = `
  select case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline,
    current_setting('synchronous_standby_names') <> '' as synchronous`;

/** What all connections of one process have seen of the server's history. */
export class Timeline {
  private known: string | undefined;
  /** Whether commits waited for a standby, when a session was opened last. */
  private synchronous = false;
  private forked = false;
  private tell: () => void = () => undefined;

  /** `tell` is called once, when the server may have forgotten what it had acknowledged. */
  onFork(tell: () => void): void {
    this.tell = tell;
  }

  /** @throws HandrailError `unavailable`: the session is of a history that this process must not go on in */
  async check(client: ClientBase): Promise<void> {
    const { rows } = await client.query(ASK).catch(() => ({ rows: [] }));
    const [found] = rows as { timeline: string | null; synchronous: boolean }[];
    if (!found) return;
    // It would become the primary under this session, which nobody would look at again.
    if (found.timeline === null) throw new HandrailError("unavailable", "This address leads to a standby.");
    if (this.forked || (this.known !== undefined && this.known !== found.timeline && !this.synchronous)) this.refuse();
    this.known = found.timeline;
    this.synchronous = found.synchronous;
  }

  private refuse(): never {
    if (!this.forked) this.tell();
    this.forked = true;
    throw new HandrailError(
      "unavailable",
      "Another server has taken over, and may lack what was committed last: this process must not go on with its claims.",
    );
  }
}
