import type { ClientBase } from "pg";
import { HandrailError } from "../../engine/errors";

/*
 * A connection to PostgreSQL is a dedicated session: settings, prepared statements and LISTEN persist. Behind a pooler
 * in transaction mode, none of this holds. The connection itself shows which of the two it is: a pooler cannot give its
 * clients the process id of "their" backend, because they have none. A proxy that hides the process id, and has a backend for each
 * client, is known by its address alone: `options=-c handrail.sessions=dedicated` (docs/poolers-and-failover.md).
 */

const IS_OWN = "(pg_backend_pid() = $1::int or coalesce(current_setting('handrail.sessions', true), '') = 'dedicated')";

interface SessionSettings {
  statementTimeoutMs: number;
  idleInTransactionMs: number;
  onePlan: boolean;
  boundedReads: boolean;
}

/** The session's state where nothing can be set. */
export interface PooledSession {
  /** Whether the pooler's sessions end idle transactions. */
  limited: boolean;
}

/** Log message for the owner of a pool. */
export const aboutPooler = ({ limited }: PooledSession): string =>
  "DATABASE_URL points to a pooler: statements are not prepared" +
  (limited
    ? ""
    : ", and a process that is stopped in a transaction holds its locks for as long as it is stopped, because " +
      "idle_in_transaction_session_timeout is 0. Let the pooler set it, as docs/poolers-and-failover.md shows");

const own = new WeakSet<object>();

/** Whether a statement prepared on this client will exist for the next one. False for clients not opened here. */
export const isOwnSession = (client: object): boolean => own.has(client);

/** A pooler in between shares this session with other clients. */
export const disown = (client: object): void => void own.delete(client);

/** Whether the connection ends at a dedicated backend. Works on any connected client. */
export async function reachesBackend(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(`select ${IS_OWN} as own`, [processIdOf(client)]);
  return rows[0].own;
}

const processIdOf = (client: ClientBase) => (client as unknown as { processID: number }).processID;

/*
 * Settings are sent by a statement and not in the startup message: poolers refuse unsupported parameters there.
 * `synchronous_commit` is raised to `on`, and kept where the server asks for more. Who locks a row and then looks must see what its
 * last holder has committed: a role may have another isolation level as its default. Dates are read in ISO form alone. A plan that is
 * kept may have been made while its tables were small, and they grow: it walks none of them that has an index for it, and follows the narrowest one in its order,
 * rather than gather through a wider one what it then filters and sorts, which costs less only of a small table.
 */
const OPEN = `
  select own, current_setting('synchronous_commit') as commit,
    current_setting('idle_in_transaction_session_timeout') as idle,
    current_setting('default_transaction_isolation') as isolation,
    current_setting('datestyle') as dates,
    case when own then set_config('statement_timeout', $2, false) end,
    case when own then set_config('idle_in_transaction_session_timeout', $3, false) end,
    case when own and $4 then set_config('plan_cache_mode', 'force_generic_plan', false) end,
    case when own and $4 then set_config('enable_seqscan', 'off', false) end,
    case when own and $4 then set_config('enable_bitmapscan', 'off', false) end,
    case when own and $5 then set_config('max_parallel_workers_per_gather', '0', false) end,
    case when own and ($4 or $5) then set_config('jit', 'off', false) end,
    case when own then set_config('default_transaction_isolation', 'read committed', false) end,
    case when own then set_config('datestyle', 'ISO', false) end,
    case when own and current_setting('synchronous_commit') <> 'remote_apply'
      then set_config('synchronous_commit', 'on', false) end
  from (select ${IS_OWN} as own) as session`;

/**
 * The first statement of every connection of a pool: undefined if the session is ours, and set up.
 * @throws HandrailError `unavailable` if it is not, and its commits would not be durable, or not isolated as ours must be
 */
export async function openSession(
  client: ClientBase,
  { statementTimeoutMs, idleInTransactionMs, onePlan, boundedReads }: SessionSettings,
): Promise<PooledSession | undefined> {
  const values = [processIdOf(client), `${statementTimeoutMs}`, `${idleInTransactionMs}`, onePlan, boundedReads];
  const { rows } = await client.query(OPEN, values);
  const [session] = rows as [{ own: boolean; commit: string; idle: string; isolation: string; dates: string }];
  if (session.own) {
    own.add(client);
    return undefined;
  }
  if (session.commit === "off" || session.commit === "local")
    throw new HandrailError(
      "unavailable",
      `DATABASE_URL points to a pooler whose sessions have synchronous_commit = ${session.commit}: their commits may be lost. ` +
        "Let the pooler set it to on (docs/poolers-and-failover.md).",
    );
  if (session.isolation !== "read committed" || !session.dates.startsWith("ISO"))
    throw new HandrailError(
      "unavailable",
      `DATABASE_URL points to a pooler whose sessions have default_transaction_isolation = ${session.isolation} and datestyle = ${session.dates}. ` +
        "Let the pooler set them to read committed and ISO (docs/poolers-and-failover.md).",
    );
  return { limited: session.idle !== "0" };
}
