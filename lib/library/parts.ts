import { type HandrailConfig, openTransactions } from "../app";
import { loadAuditKeys } from "../audit-keys";
import { systemCaller } from "../engine/audit/audit";
import { addressesOf, readEnvOfApp } from "../env-of-app";
import { createLogger } from "../log";
import { ChangeFeed } from "../operator/changes/change-feed";
import { EndWaits } from "../operator/changes/end-waits";
import type { Desk } from "../operator/desk";
import { Notifier } from "../store/database/notifier";
import { createPool } from "../store/database/pools";
import { aboutPooler, NOTHING_HEARD } from "../store/database/session";
import { type Db, poolDb } from "../store/db";
import { setPayloadKeys } from "../store/payloads";
import { setSchema } from "../store/schema";
import type { WorkerSetting } from "./open-worker";

/** As in the console: a start or a read that takes longer needs a better query, or should be tried again. */
const LONGEST_STATEMENT_MS = 5_000;
const CONNECTIONS = 5;

/** What an app holds open for its starts, reads and waits. */
export interface Parts<Tx> extends WorkerSetting {
  db: Db;
  notifier: Notifier;
  feed: ChangeFeed;
  ends: EndWaits;
  /** The engine's view of the app's transaction. */
  join(tx: Tx): Db;
  /** For actions, each of which leaves a row in the audit log. */
  desk(): Desk;
  close(): Promise<void>;
}

/** Connects with the first statement, and listens with the first wait for an end. @throws EnvError; HandrailError */
export function openParts<Tx>(config: HandrailConfig<Tx>): Parts<Tx> {
  const env = readEnvOfApp(config);
  const addresses = addressesOf(config, env);
  setSchema(env.schema);
  setPayloadKeys(env.payloadKeys);
  const { name = "app", log = createLogger("handrail", env.logLevel) } = config;
  const pool = createPool({
    databaseUrl: addresses.databaseUrl,
    name: `handrail ${name}`,
    max: CONNECTIONS,
    boundedReads: true,
    statementTimeoutMs: LONGEST_STATEMENT_MS,
    idleInTransactionMs: LONGEST_STATEMENT_MS,
    onPooled: (session) => log[session.limited ? "info" : "warn"](aboutPooler(session)),
  });
  const db = poolDb(pool);
  const notifier = new Notifier(db);
  const feed = new ChangeFeed(addresses.directUrl, () => log.warn(NOTHING_HEARD));
  return {
    env,
    addresses,
    log,
    db,
    notifier,
    feed,
    ends: new EndWaits(db, feed),
    join: openTransactions(config, pool).join,
    desk: () => ({ db, notifier, by: systemCaller(name), auditKeys: loadAuditKeys(env), request: null }),
    close: async () => {
      await feed.close();
      await notifier.close();
      await pool.end();
    },
  };
}
