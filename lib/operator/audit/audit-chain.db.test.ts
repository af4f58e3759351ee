import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SignedHead } from "../../engine/audit/audit-chain";
import { parseAuditKeys } from "../../engine/audit/audit-keys";
import { sha256 } from "../../engine/digest";
import { type Db, poolDb } from "../../store/db";
import { rerun } from "../../testing/actions";
import { keyBytes, TEST_AUDIT_KEYS } from "../../testing/audit-keys";
import { createTestDatabase, type TestDatabase } from "../../testing/database/database";
import { aDesk } from "../../testing/desk";
import { aRun } from "../../testing/rows/a-run";
import { exportHead, verifyAudit, verifyNewest } from "./verify-audit";

let database: TestDatabase;
let db: Db;
const ROWS = 6;
beforeAll(async () => {
  database = await createTestDatabase();
  db = poolDb(database.pool);
  for (let n = 0; n < ROWS; n++) await anAct();
});
afterAll(() => database.drop());

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const verify = (heads?: SignedHead[]) => verifyAudit(db, TEST_AUDIT_KEYS, heads);

async function anAct(actor = "mia") {
  const runId = await aRun(db, { idempotencyKey: undefined }).failedAt("charge-payment");
  return rerun(aDesk(db, { actor }), { runId, reason: `The gateway is back: naïve, “quoted”, 🧾 ${runId}` });
}

describe("append-only", () => {
  it.each([
    "update handrail.audit set reason = 'another'",
    "delete from handrail.audit",
    "truncate handrail.audit",
    "truncate handrail.audit cascade",
    "delete from handrail.audit_chain",
    "truncate handrail.audit_chain",
    "set session_replication_role = replica; delete from handrail.audit",
  ])("refuses: %s", async (statement) => {
    const client = await database.pool.connect();
    try {
      await expect(client.query(statement)).rejects.toThrow(/append-only/);
    } finally {
      client.release(true);
    }
  });

  it("takes no row without a place in the chain", async () => {
    const row = `insert into handrail.audit (actor, act, reason, "before", "after") values ('a', 'b', 'c', '{}', '{}')`;
    await expect(query(row)).rejects.toThrow(/audit_chained/);
  });
});

describe("verify", () => {
  it("finds nothing wrong with what was written", async () => {
    expect(await verify([await exportHead(db, TEST_AUDIT_KEYS)])).toEqual({ rows: ROWS, earlier: 0, fault: null });
  });

  it("looks at the newest rows alone, and finds what was changed among them", async () => {
    expect(await verifyNewest(db, TEST_AUDIT_KEYS)).toEqual({ seq: ROWS, rows: ROWS, fault: null });
    expect(await verifyNewest(db, TEST_AUDIT_KEYS, 2)).toEqual({ seq: ROWS, rows: 2, fault: null });
    const other = parseAuditKeys(`test-2:${keyBytes(9)}`);
    if (!other) throw new Error("no key");
    expect(await verifyNewest(db, other, 2)).toMatchObject({ rows: 0, fault: { seq: ROWS - 1 } });
  });

  it("walks rows of several keys, and names the key that it lacks", async () => {
    const [current] = TEST_AUDIT_KEYS.byId.values();
    expect(current?.id).toBe("test-2");
    const only = parseAuditKeys(`other:${keyBytes(9)}`);
    if (!only) throw new Error("no key");
    expect((await verifyAudit(db, only)).fault).toMatchObject({
      seq: 1,
      says: expect.stringContaining('key "test-2"'),
    });
  });

  const digest = (seq: number) => `decode('${sha256(String(seq))}', 'hex')`;
  const swapped = (column: string) =>
    `update handrail.audit set ${column} = other.${column} from handrail.audit other
     where (audit.seq, other.seq) in ((3, 4), (4, 3))`;
  /** Statements, and where the first break is found. */
  const TAMPERING: [what: string, statement: string, seq: number][] = [
    ...[
      "actor = 'nobody'",
      "actor_kind = 'system'",
      "credential_id = 's-1'",
      "address = '10.0.0.1'",
      "user_agent = 'curl'",
      "request_id = 'r'",
      "plan_id = gen_random_uuid()",
      "act = 'cancel'",
      "run_id = gen_random_uuid()",
      "run_id = null",
      "step = 'charge'",
      "schedule = 'nightly'",
      "workflow = null",
      "reason = reason || ' '",
      `"before" = jsonb_set("before", '{status}', '"completed"')`,
      `"after" = "after" || '{"note": null}'`,
      `"after" = '{}'`,
      "request_key = 'k'",
      "result = 'denied', code = 'not_allowed'",
      "at = at + interval '1 microsecond'",
      "key_id = 'test-1'",
      "key_id = 'nobody'",
      `hash = ${digest(3)}`,
      `prev_hash = ${digest(3)}`,
    ].map((set): [string, string, number] => [`changed: ${set}`, `update handrail.audit set ${set} where seq = 3`, 3]),
    ["a row deleted", "delete from handrail.audit where seq = 3", 3],
    ["the first row deleted", "delete from handrail.audit where seq = 1", 1],
    ["every row deleted", "delete from handrail.audit", 1],
    ["the tail deleted", "delete from handrail.audit where seq > 4", 5],
    ["what two rows say swapped", swapped("reason"), 3],
    ["the hashes of two rows swapped", swapped("hash"), 3],
    [
      "two rows swapped",
      `update handrail.audit set seq = -seq where seq in (3, 4);
       update handrail.audit set seq = 7 + seq where seq < 0`,
      3,
    ],
    [
      "a hole closed by renumbering",
      "delete from handrail.audit where seq = 3; update handrail.audit set seq = seq - 1 where seq > 3",
      3,
    ],
    [
      "a row changed, and hashed again without the key",
      `update handrail.audit set reason = 'forged', hash = sha256(prev_hash || convert_to('forged', 'utf8')) where seq = 3;
       update handrail.audit set prev_hash = (select hash from handrail.audit where seq = 3) where seq = 4`,
      3,
    ],
    [
      "a row added at the end",
      `insert into handrail.audit (seq, prev_hash, hash, key_id, actor, act, reason, "before", "after")
       select 7, hash, ${digest(7)}, 'test-2', 'mia', 'rerun', 'r', '{}', '{}' from handrail.audit where seq = 6`,
      7,
    ],
    [
      "a row put before the chain",
      `alter table handrail.audit drop constraint audit_chained;
       insert into handrail.audit (actor, act, reason, "before", "after") values ('mia', 'rerun', 'r', '{}', '{}')`,
      0,
    ],
    ["the genesis changed", `update handrail.audit_chain set genesis = ${digest(0)}`, 0],
    ["the end set forth", "update handrail.audit_chain set seq = 9", 7],
    [
      "the end set back",
      "update handrail.audit_chain set seq = 5, hash = (select hash from handrail.audit where seq = 5)",
      6,
    ],
    ["the end's hash changed", `update handrail.audit_chain set hash = ${digest(1)}`, 6],
  ];

  it.each(TAMPERING)("finds %s", async (_, statement, seq) => {
    const { fault } = await tampered(statement, (tx) => verifyAudit(tx, TEST_AUDIT_KEYS));
    expect(fault).toMatchObject({ seq });
    expect(await verify()).toMatchObject({ fault: null });
  });

  it("finds a chain that was cut, or rewritten with the key, by the exported heads", async () => {
    const head = await exportHead(db, TEST_AUDIT_KEYS);
    const cut = `delete from handrail.audit where seq > 4;
      update handrail.audit_chain set seq = 4, hash = (select hash from handrail.audit where seq = 4)`;
    expect(await tampered(cut, (tx) => verifyAudit(tx, TEST_AUDIT_KEYS))).toMatchObject({ rows: 4, fault: null });
    expect(await tampered(cut, (tx) => verifyAudit(tx, TEST_AUDIT_KEYS, [head]))).toMatchObject({ fault: { seq: 5 } });
    const anew = await tampered(cut, async (tx) => {
      for (let n = 0; n < 2; n++) await rerunIn(tx);
      return [await verifyAudit(tx, TEST_AUDIT_KEYS), await verifyAudit(tx, TEST_AUDIT_KEYS, [head])] as const;
    });
    expect(anew[0]).toMatchObject({ rows: 6, fault: null });
    expect(anew[1].fault).toMatchObject({ seq: 6, says: expect.stringContaining("rewritten") });
  });

  it("refuses an exported head that none of our keys has signed", async () => {
    const head = await exportHead(db, TEST_AUDIT_KEYS);
    for (const forged of [
      { seq: head.seq - 1 },
      { hash: "0".repeat(64) },
      { at: "2020-01-01T00:00:00Z" },
      { keyId: "x" },
    ])
      expect((await verify([{ ...head, ...forged }])).fault?.says).toContain("does not verify");
  });
});

it("20 actions at once leave an unbroken chain", async () => {
  const before = (await verify()).rows;
  await Promise.all(Array.from({ length: 20 }, (_, n) => anAct(`operator-${n}`)));
  expect(await verify()).toEqual({ rows: before + 20, earlier: 0, fault: null });
});

async function rerunIn(tx: Db) {
  const runId = await aRun(tx, { idempotencyKey: undefined }).failedAt("charge-payment");
  return rerun(aDesk(tx), { runId, reason: "Again." });
}

/** In a transaction that is rolled back, by a role that may drop the guards. */
async function tampered<Result>(statement: string, look: (tx: Db) => Promise<Result>): Promise<Result> {
  let result: { is: Result } | undefined;
  const undo = new Error("undone");
  await db
    .transaction(async (tx) => {
      await tx.query({ name: "", text: "alter table handrail.audit disable trigger user" }, []);
      for (const text of statement.split(";")) await tx.query({ name: "", text }, []);
      result = { is: await look(tx) };
      throw undo;
    })
    .catch((error) => {
      if (error !== undo) throw error;
    });
  return (result as { is: Result }).is;
}
