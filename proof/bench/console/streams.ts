import { setTimeout as sleep } from "node:timers/promises";
import { anApi } from "../../../lib/testing/api/api";
import { TEST_AUDIT_KEY } from "../../../lib/testing/audit-keys";
import type { Bench } from "../bench";
import { atMost, type Figure } from "../figure";

const STREAMS = 200;
const SETTLE_MS = 2_000;
/** Long enough for beats that come every few seconds. */
const IDLE_MS = 16_000;

/** What 200 open streams of changes cost while nothing changes: connections that listen, and this process's time. */
export async function streams({ databaseUrl, pool }: Bench): Promise<Figure[]> {
  process.env.DATABASE_URL = databaseUrl;
  process.env.HANDRAIL_AUDIT_KEY = TEST_AUDIT_KEY;
  const api = await anApi();
  const idle = await partOfACore();
  const ended = new AbortController();
  for (let opened = 0; opened < STREAMS; opened++)
    void follow(await api.send("GET", "/v1/stream", { signal: ended.signal }));
  await sleep(SETTLE_MS);
  const open = await partOfACore();
  const { rows } = await pool.query(
    "select count(*)::int as listening from pg_stat_activity where application_name = 'handrail listener' and datname = current_database()",
  );
  ended.abort();
  const percent = (part: number) => `${(part * 100).toFixed(1)} %`;
  return [
    {
      measure: `connections that listen for ${STREAMS} streams`,
      measured: `${rows[0].listening}`,
      value: rows[0].listening,
      target: atMost(1),
    },
    {
      measure: `${STREAMS} idle streams, part of a core`,
      measured: `${percent(open)}, without them ${percent(idle)}`,
      value: open,
      target: atMost(0.05),
    },
  ];
}

async function follow({ body }: Response): Promise<void> {
  for await (const _ of body as unknown as AsyncIterable<Uint8Array>);
}

async function partOfACore(): Promise<number> {
  const before = process.cpuUsage();
  await sleep(IDLE_MS);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / IDLE_MS;
}
