import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AGE_HEADER } from "../../lib/engine/wal-position";
import { poolDb } from "../../lib/store/db";
import { Standby } from "../../lib/store/standby/standby";
import { anApi } from "../../lib/testing/api/api";
import { until } from "../../lib/testing/until";
import { type Pair, startPair } from "./standby";

/** A primary that is written to each 200 ms, its standby, and a console in this process that reads from it. */
export interface StandbySite {
  pair: Pair;
  api: Awaited<ReturnType<typeof anApi>>;
  close(): Promise<void>;
}

/** @param maxLagMs more than a busy machine takes between a pause of the replay and what is read then */
export async function aStandbySite({ maxLagMs = 3_000 } = {}): Promise<StandbySite> {
  const folder = await mkdtemp(join(tmpdir(), "handrail-standby-reads-"));
  await chmod(folder, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  const pair = await startPair(folder, { synchronous: false });
  process.env.DATABASE_URL = pair.database.url;
  process.env.DATABASE_READ_URL = pair.standby.url;
  process.env.HANDRAIL_READ_MAX_LAG_MS = String(maxLagMs);
  await pair.database.pool.query("create table public.beat as select now() as at");
  // As a worker's heartbeats do: without commits, a standby cannot say how old it is.
  const beat = () => pair.database.pool.query("update public.beat set at = now()").catch(() => null);
  const beats = setInterval(beat, 200);
  const api = await anApi();
  return {
    pair,
    api,
    async close() {
      clearInterval(beats);
      const { shutdown } = await import("../../lib/shutdown");
      await shutdown();
      await pair.database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export const isFromStandby = ({ headers }: { headers: Headers }): boolean => headers.has(AGE_HEADER);
export const idsIn = ({ body }: { body: { runs: { id: string }[] } }): string[] => body.runs.map(({ id }) => id);

/** A standby of the pair's primary at another address, or with nobody else's reads, and why it was left. */
export async function standbyOf(
  { database }: Pair,
  databaseUrl: string,
  use: (standby: Standby, reasons: (string | null)[]) => Promise<void>,
): Promise<void> {
  const reasons: (string | null)[] = [];
  const onChange = (reason: string | null) => void reasons.push(reason);
  const standby = new Standby({ databaseUrl, primary: poolDb(database.pool), maxLagMs: 60_000, onChange });
  await standby.reader(null).begin();
  await until("What is known of the standby", async () => reasons.length > 0);
  await use(standby, reasons);
  await standby.close();
}
