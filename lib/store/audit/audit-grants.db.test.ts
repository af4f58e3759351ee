import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rerun } from "../../testing/actions";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { poolDb } from "../db";

const PAGE = readFileSync(new URL("../../../docs/audit.md", import.meta.url), "utf8");
const ROLE = `app_${Date.now()}`;
let database: TestDatabase;
let app: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  const [, grants = ""] = /```sql\n(.*?)```/s.exec(PAGE) ?? [];
  await database.pool.query(`${grants.replaceAll("handrail_app", ROLE)}; alter role ${ROLE} password 'app'`);
  const url = new URL(database.url);
  [url.username, url.password] = [ROLE, "app"];
  app = new pg.Pool({ connectionString: url.href });
});
afterAll(async () => {
  await app.end();
  await database.pool.query(`drop owned by ${ROLE}; drop role ${ROLE}`);
  await database.drop();
});

it("with the page's grants the app works, and cannot change the audit log", async () => {
  const db = poolDb(app);
  const runId = await aRun(db).failedAt("charge-payment");
  await rerun(aDesk(db), { runId, reason: "The gateway is back." });
  expect((await app.query("select result from handrail.audit")).rows).toEqual([{ result: "done" }]);
  for (const statement of [
    "update handrail.audit set reason = 'x'",
    "delete from handrail.audit",
    "truncate handrail.audit",
    "alter table handrail.audit disable trigger user",
    "alter table handrail.audit disable trigger audit_no_change",
    "drop trigger audit_no_change on handrail.audit",
    "delete from handrail.audit_chain",
    "insert into handrail.audit_chain (id, seq, hash, genesis) select id, seq, hash, genesis from handrail.audit_chain",
  ])
    await expect(app.query(statement), statement).rejects.toMatchObject({ code: "42501" });
});
