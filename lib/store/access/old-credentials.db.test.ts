import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { poolDb } from "../db";
import { deleteOldCredentials } from "./old-credentials";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it("deletes credentials that have been dead for thirty days, and none that is live or ended recently", async () => {
  const { pool } = database;
  const ENDS = `(values ('lives', interval '1 day', null), ('ended lately', interval '-29 days', null), ('ended long ago', interval '-31 days', null),
    ('taken back lately', interval '1 day', interval '-29 days'), ('taken back long ago', interval '1 day', interval '-31 days')) as ends (what, expires, over)`;
  await pool.query(`
    insert into handrail.person (id, name, role) values ('01890000-0000-7000-8000-000000000001', 'grace', 'viewer')`);
  await pool.query(`
    insert into handrail.session (id, token_hash, person_id, expires_at, revoked_at, user_agent)
    select gen_random_uuid(), sha256(what::bytea), '01890000-0000-7000-8000-000000000001', now() + expires, now() + over, what from ${ENDS}`);
  await pool.query(`
    insert into handrail.token (id, name, token_hash, scopes, created_by, expires_at, revoked_at)
    select gen_random_uuid(), what, sha256(what::bytea), '{viewer}', 'ada', now() + expires, now() + over from ${ENDS}`);
  await pool.query(`
    insert into handrail.invitation (id, token_hash, name, role, created_by, expires_at, used_at)
    select gen_random_uuid(), sha256(what::bytea), what, 'viewer', 'ada', now() + expires, now() + over from ${ENDS}`);

  const db = poolDb(pool);
  expect(await deleteOldCredentials(db, 1)).toBe(3);
  expect(await Promise.all([deleteOldCredentials(db, 10), deleteOldCredentials(db, 10)])).toContain(3);
  expect(await deleteOldCredentials(db, 10)).toBe(0);
  const { rows } = await pool.query(`
    select user_agent as what from handrail.session union all select name from handrail.token
    union all select name from handrail.invitation order by 1`);
  const kept = ["ended lately", "lives", "taken back lately"];
  expect(rows.map(({ what }) => what)).toEqual(kept.flatMap((what) => [what, what, what]));
});
