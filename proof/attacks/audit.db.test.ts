import { afterAll, beforeAll, expect, it } from "vitest";
import { exportHead, verifyAudit } from "../../lib/operator/audit/verify-audit";
import { type Db, poolDb } from "../../lib/store/db";
import { TEST_AUDIT_KEYS } from "../../lib/testing/audit-keys";
import { aRun } from "../../lib/testing/rows/a-run";
import { addressOf, bodiesOf, ENDPOINTS, parametersOf } from "./fields";
import { FOREIGN, REASON, type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

let scene: Scene;
beforeAll(async () => {
  scene = await theScene();
});
afterAll(() => scene.close());

const holds = attackTable("audit");
const verify = (db: Db = scene.db) => verifyAudit(db, TEST_AUDIT_KEYS);

it("a refused request leaves a row, whether or not its target exists", async () => {
  const targets: Record<string, string> = { runId: scene.foreign.failed, name: "a-schedule", workflow: FOREIGN };
  const mutations = ENDPOINTS.filter(
    (endpoint) => endpoint.method !== "GET" && parametersOf(endpoint).some((name) => name in targets),
  );
  for (const who of ["viewer", "bound"]) {
    const token = await scene.mint(
      who === "viewer" ? ["viewer"] : ["operator", "worker.work"],
      who === "viewer" ? {} : { workflows: ["another"] },
    );
    const name = who === "viewer" ? "viewer" : "operator worker.work";
    const denied = async () =>
      (
        await scene.rows("select count(*)::int as n from handrail.audit where result = 'denied' and actor = $1", [name])
      )[0].n;
    await holds(mutations, async (endpoint) => {
      const before = await denied();
      const body = bodiesOf(endpoint)[0]?.value;
      const { status } = await scene.as(token, endpoint.method, addressOf(endpoint, targets), { body });
      return unless(status === 403 && (await denied()) === before + 1, `${who}: ${endpoint.path}`, status);
    });
  }
});

it("acts that are done, and fifty at once, leave a row each in one unbroken chain", async () => {
  const before = (await verify()).rows;
  const runs = await Promise.all(
    Array.from({ length: 50 }, () => aRun(scene.db, { tags: {} }).failedAt("charge-payment")),
  );
  const done = await Promise.all(
    runs.map((runId) => scene.boot("POST", `/v1/runs/${runId}/reruns`, { reason: REASON })),
  );
  await holds(done, async ({ status, body }) => unless(status === 202, "a rerun", body));
  expect(await verify()).toMatchObject({ rows: before + 50, fault: null });
});

/** Runs the statement as the owner, with triggers off, and rolls it back. */
async function tampered<Seen>(statement: string, look: (db: Db) => Promise<Seen>): Promise<Seen> {
  let seen: Seen | undefined;
  const enough = new Error("enough");
  await poolDb(scene.database.pool)
    .transaction(async (tx) => {
      for (const table of ["audit", "audit_chain"])
        await tx.query({ name: "", text: `alter table handrail.${table} disable trigger user` }, []);
      await tx.query({ name: "", text: statement }, []);
      seen = await look(tx);
      throw enough;
    })
    .catch((error) => {
      if (error !== enough) throw error;
    });
  return seen as Seen;
}

/** Another value of each type. */
const CHANGED: Record<string, (column: string) => string[]> = {
  text: (column) => [`coalesce(${column}, '') || 'x'`, `upper(coalesce(${column}, 'x')) || ' '`],
  jsonb: (column) => [`${column} || '{"x": 1}'`, `'{"status": null}'`],
  bytea: (column) => [0, 7, 15, 31].map((byte) => `set_byte(${column}, ${byte}, get_byte(${column}, ${byte}) # 1)`),
  "timestamp with time zone": (column) => [`${column} + interval '1 microsecond'`, `${column} - interval '1 year'`],
  uuid: () => ["gen_random_uuid()"],
};

it("a row that says another thing in any column is named, wherever it stands", async () => {
  const { rows: length } = await verify();
  const columns = await scene.rows(
    "select column_name, data_type from information_schema.columns where table_schema = 'handrail' and table_name = 'audit' and column_name not in ('id', 'seq')",
  );
  const places = [1, 2, Math.ceil(length / 2), length - 1, length];
  const rows = columns.flatMap(({ column_name, data_type }) =>
    (CHANGED[data_type]?.(`"${column_name}"`) ?? [null]).flatMap((to) =>
      places.map((seq) => ({ column: column_name as string, type: data_type as string, to, seq })),
    ),
  );
  await holds(rows, async ({ column, type, to, seq }) => {
    if (to === null) return `nobody knows how to change ${column}, a ${type}`;
    // For example a denied row without its code: a CHECK refuses it.
    const statement = `update handrail.audit set "${column}" = ${to} where seq = ${seq}`;
    const seen = await tampered(statement, verify).catch((error: { code?: string }) => error.code);
    if (seen === "23514") return undefined;
    const fault = typeof seen === "object" ? seen.fault : null;
    return unless(fault?.seq === seq, `${column} = ${to} in row ${seq}`, seen);
  });
});

it("a tail that was cut off is missed by the head that was exported", async () => {
  const head = await exportHead(scene.db, TEST_AUDIT_KEYS);
  await holds([1, 2, 5, 20], async (cut) => {
    const seq = head.seq - cut;
    const statement = `delete from handrail.audit where seq > ${seq};
      update handrail.audit_chain set seq = ${seq}, hash = (select hash from handrail.audit where seq = ${seq})`;
    const seen = await tampered(statement, (tx) => verifyAudit(tx, TEST_AUDIT_KEYS, [head]));
    return unless(seen.fault?.seq === seq + 1, `${cut} rows cut`, seen);
  });
});
