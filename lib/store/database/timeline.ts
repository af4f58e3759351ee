import type { ClientBase } from "pg";
import { HandrailError } from "../../engine/errors";

/*
 * A promoted standby begins a new timeline. Unless every commit waited for it, it may lack the last ones: runs have
 * gone back in time, and an epoch that this process holds may be issued twice. So no process goes on across such a
 * change: one that holds claims drops them before any of its connections reaches the new primary, and starts anew.
 */

/** A separate query: not every Postgres-compatible service supports it, and nothing else may fail for that. */
const ASK = `
  select case when pg_is_in_recovery() then null else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline,
    current_setting('synchronous_standby_names') <> '' as synchronous`;

/** The server's history as seen by all connections of one process. */
export class Timeline {
  private known: string | undefined;
  /** Whether commits waited for a standby when a session was last opened. */
  private synchronous = false;
  private forked = false;
  private notify: () => void = () => undefined;

  /** `notify` is called once, when the server may have lost acknowledged commits. */
  onFork(notify: () => void): void {
    this.notify = notify;
  }

  /** @throws HandrailError `unavailable`: the session is of a history that this process must not go on in */
  async check(client: ClientBase): Promise<void> {
    const { rows } = await client.query(ASK).catch(() => ({ rows: [] }));
    const [found] = rows as { timeline: string | null; synchronous: boolean }[];
    if (!found) return;
    // A standby could be promoted under this session, which is not checked again.
    if (found.timeline === null) throw new HandrailError("unavailable", "This address points to a standby.");
    if (this.forked || (this.known !== undefined && this.known !== found.timeline && !this.synchronous)) this.refuse();
    this.known = found.timeline;
    this.synchronous = found.synchronous;
  }

  private refuse(): never {
    if (!this.forked) this.notify();
    this.forked = true;
    throw new HandrailError(
      "unavailable",
      "Another server has taken over and may lack the last commits: this process must not continue with its claims.",
    );
  }
}
