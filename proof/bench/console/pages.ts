import pg from "pg";
import { startOwnServer } from "../../../e2e/support/own-server";
import { TEST_AUDIT_KEY } from "../../../lib/testing/audit-keys";
import { type Took, timesOf } from "./ask";
import type { Call } from "./calls";
import { factsOf } from "./facts";

/** Warm-up: the first request pays for what is compiled and cached once per process. */
const WARMING = 5;

const PAGES: readonly Call[] = [
  { name: "page: overview", path: () => "/" },
  { name: "page: runs", path: () => "/runs" },
  { name: "page: failed runs", path: () => "/runs?status=failed" },
  { name: "page: run", path: (facts, at) => `/runs/${facts.runs[at % facts.runs.length]?.id}` },
  { name: "page: problems", path: () => "/problems" },
  { name: "page: problem", path: (facts, at) => `/problems/${facts.problems[at % facts.problems.length]}` },
];

/** Pages as a browser asks for them first, by the production build (`npm run build` before): until the last byte of the document. */
export async function pagesOf(databaseUrl: string, times: number): Promise<Took[]> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const facts = await factsOf(pool);
  await pool.end();
  const server = await startOwnServer({
    DATABASE_URL: databaseUrl,
    HANDRAIL_SIGN_IN: "off",
    HANDRAIL_AUDIT_KEY: TEST_AUDIT_KEY,
  });
  try {
    await server.said(/Handrail is running/);
    const ask = (path: string) => fetch(`${server.url}${path}`);
    const took: Took[] = [];
    for (const page of PAGES) {
      await timesOf(ask, facts, page, WARMING);
      took.push(await timesOf(ask, facts, page, times));
    }
    return took;
  } finally {
    await server.stop();
  }
}
