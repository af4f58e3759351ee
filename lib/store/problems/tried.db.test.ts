import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { ACTIONS_LOOKED_AT, triedStatement } from "./tried";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.pool.query(`
    insert into handrail.audit (act, actor, run_id, workflow, reason, before, after, seq, prev_hash, hash, key_id, at)
    select 'rerun', 'operator', run_id, workflow, 'The provider is back', '{}', '{}', 100000 + n, hash, hash, 'key', now() - (30000 - n) * interval '1 s'
    from (select n, case when n % 3000 = 0 then 'rare' else 'common' end as workflow, sha256('row') as hash,
      (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid as run_id from generate_series(1, 30000) as n) as made`);
  await database.pool.query(`
    insert into handrail.problem (id, kind, workflow, error_name, pattern, first_at, last_at, example_run_id, example_version, example_error)
    select problem, 'failed', workflow, 'E', 'no', now() - since, now(), problem, 1, '{}'
    from (values ('${RARE}'::uuid, 'rare', interval '1 d'), ('${COMMON}', 'common', '1 d'), ('${YOUNG}', 'common', '100 s')) as made (problem, workflow, since)`);
  await database.pool.query(`
    insert into handrail.problem_run (run_id, problem_id, since)
    select distinct on (run_id) run_id, case when audit.workflow = 'rare' then '${RARE}' when at > now() - interval '50 s' then '${YOUNG}' else '${COMMON}' end::uuid, at - interval '1 s'
    from handrail.audit where run_id is not null`);
  await database.pool.query("analyze handrail.audit");
});
afterAll(() => database.drop());

const RARE = "019aa5e0-0000-7000-8000-000000000001";
const COMMON = "019aa5e0-0000-7000-8000-000000000002";
const YOUNG = "019aa5e0-0000-7000-8000-000000000003";

interface PlanNode {
  "Node Type": string;
  "Index Name"?: string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

async function auditRowsRead(problem: string) {
  const { rows } = await database.pool.query(`explain (analyze, format json) ${triedStatement.text}`, [
    problem,
    ["rerun"],
    50,
  ]);
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode) => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  visit(rows[0]["QUERY PLAN"][0].Plan);
  const ofAudit = nodes.filter((node) => node["Relation Name"] === "audit" || node["Index Name"]?.startsWith("audit_"));
  const read = ofAudit.map(
    (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
  );
  return { most: Math.max(...read), shown: rows[0]["QUERY PLAN"][0].Plan["Actual Rows"] };
}

it("reads a bounded number of audit rows: only the workflow's, since the problem began, the newest ones", async () => {
  expect(await auditRowsRead(RARE)).toEqual({ most: 10, shown: 10 });
  expect(await auditRowsRead(COMMON)).toEqual({ most: ACTIONS_LOOKED_AT, shown: 50 });
  const young = await auditRowsRead(YOUNG);
  expect(young.shown).toBeGreaterThan(20);
  expect(young.most).toBeLessThan(200);
});
