import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { PgTransaction } from "../../engine/workflows/step-options";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { anEngine } from "../../testing/workers/engine";
import { setFaultHandler } from "../fault-points";

const engine = anEngine();
const input = z.object({});
const retry = { initialDelayMs: 1, jitter: 0 };

beforeAll(() => engine.rows("create table own_row (word text not null, unique (word))"));
const rowsLike = async (word: string) =>
  (await engine.rows<{ word: string }>("select word from own_row where word like $1 order by word", [`${word}%`])).map(
    (row) => row.word,
  );

/** A statement, by whichever client. */
type Say = (sql: string) => Promise<unknown>;
const CLIENTS = ["pg", "app"] as const;

/** A workflow of one transactional step with the given body. Counts its bodies. */
function saying(name: string, client: (typeof CLIENTS)[number], body: (say: Say, word: string) => Promise<unknown>) {
  const seen = { bodies: 0 };
  const word = `${name}-${client}`;
  const workflow = defineWorkflow({ name: word, input, retry }, (ctx) => {
    const run = (say: Say) => {
      seen.bodies++;
      return body(say, word);
    };
    return client === "pg"
      ? ctx.transaction("write", (tx: PgTransaction) => run((sql) => tx.query(sql)), { client })
      : ctx.transaction("write", (tx) => run((sql) => tx.$executeRawUnsafe(sql)));
  });
  return { workflow, seen, word };
}

const insert = (word: string) => `insert into own_row values ('${word}')`;

describe.each(CLIENTS)("a body that ends its own transaction (%s)", (client) => {
  const ENDS: [string, (say: Say, word: string) => Promise<unknown>, string, string[]][] = [
    [
      "commit",
      async (say, word) => {
        await say(insert(word));
        await say("commit");
      },
      "is committed",
      [""],
    ],
    [
      "rollback",
      async (say, word) => {
        await say(insert(word));
        await say("rollback");
      },
      "is rolled back",
      [],
    ],
    [
      "commit-and-chain",
      async (say, word) => {
        await say(insert(word));
        await say("commit and chain");
        await say(insert(`${word}-2`));
      },
      "is committed",
      [""],
    ],
    [
      "commit-begin",
      async (say, word) => {
        await say(insert(word));
        await say("commit");
        await say("begin");
        await say(insert(`${word}-2`));
      },
      "is committed",
      [""],
    ],
    [
      "rollback-begin",
      async (say, word) => {
        await say(insert(word));
        await say("rollback");
        await say("begin");
        await say(insert(`${word}-2`));
      },
      "is rolled back",
      [],
    ],
    [
      "commit-and-throw",
      async (say, word) => {
        await say(insert(word));
        await say("commit");
        throw new Error("and then this");
      },
      "It then failed: and then this",
      [""],
    ],
    [
      "no-text-after-commit",
      async (say, word) => {
        await say(insert(word));
        await say("commit");
        throw Object.assign(new Error(), { message: Symbol("no text") });
      },
      "It then failed: ",
      [""],
    ],
    [
      "commit-and-conflict",
      async (say, word) => {
        await say(insert(word));
        await say("commit");
        await say("do $$ begin raise sqlstate '40001'; end $$");
      },
      "is committed",
      [""],
    ],
    [
      "chain-and-swallow",
      async (say, word) => {
        await say(insert(word));
        await say("commit and chain");
        await say("select 1 / 0").catch(() => undefined);
      },
      "is committed",
      [""],
    ],
  ];
  it.each(ENDS)("fails, once, without a recorded completion: %s", async (name, body, message, rows) => {
    const { workflow, seen, word } = saying(name, client, body);
    const { run, steps } = await engine.runToEnd(workflow);
    expect(run).toMatchObject({ status: "failed", failed_step: "write", error: { code: "transaction_ended" } });
    expect(run.error?.message).toContain('The body of step "write" ended its own transaction');
    expect(run.error?.message).toContain(message);
    expect(steps).toMatchObject([{ name: "write", status: "failed", attempt: 1, output: null }]);
    expect(seen.bodies).toBe(1);
    expect(await rowsLike(word)).toEqual(rows.map((suffix) => `${word}${suffix}`));
  });

  it("may use savepoints, also one that it leaves open", async () => {
    const { workflow, word } = saying("savepoints", client, async (say, given) => {
      await say(insert(given));
      await say("savepoint a");
      await say(insert(given)).catch(() => undefined);
      await say("rollback to savepoint a");
      await say("savepoint b");
      await say(insert(`${given}-2`));
    });
    const { run } = await engine.runToEnd(workflow);
    expect(run.status).toBe("completed");
    expect(await rowsLike(word)).toEqual([word, `${word}-2`]);
  });

  it.each([
    ["fails", "select 1 / 0"],
    ["rolls it back", "rollback"],
  ])("and leaves something running that %s after it has returned: retried by its policy", async (what, sql) => {
    const held: { say?: Say } = {};
    const { workflow, seen, word } = saying(`late-${what.replaceAll(" ", "-")}`, client, async (say, given) => {
      held.say = say;
      await say(insert(given));
    });
    setFaultHandler(async (point) => {
      if (point === "transaction:before-commit" && seen.bodies === 1) await held.say?.(sql).catch(() => undefined);
    });
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    // Plain pg sends the commit with the checkpoint: whatever ends the transaction does so before both.
    if (client === "pg" && sql === "rollback") {
      expect(run).toMatchObject({ status: "failed", error: { code: "transaction_ended" } });
      expect(await rowsLike(word)).toEqual([]);
      return;
    }
    expect(run.status).toBe("completed");
    expect(steps).toMatchObject([{ status: "completed", attempt: 2 }]);
    expect(attempts).toMatchObject([{ error: { code: "transaction_aborted" } }]);
    expect(await rowsLike(word)).toEqual([word]);
  });

  it("that swallowed an error gets the outcome of its transaction, and is retried by its policy", async () => {
    const { workflow, seen, word } = saying("swallowed", client, async (say, given) => {
      await say(insert(given));
      if (seen.bodies < 3) await say("select 1 / 0").catch(() => undefined);
    });
    const { run, steps, attempts } = await engine.runToEnd(workflow);
    expect(run.status).toBe("completed");
    expect(steps).toMatchObject([{ status: "completed", attempt: 3 }]);
    expect(attempts).toMatchObject([
      { error: { code: "transaction_aborted" } },
      { error: { code: "transaction_aborted" } },
    ]);
    expect(await rowsLike(word)).toEqual([word]);
  });
});

it("a compensation that commits its own transaction is not recorded as completed, and needs attention", async () => {
  let bodies = 0;
  const { run, compensations } = await engine.runToRest(
    defineWorkflow({ name: "own-commit-undo", input, retry, onFailure: "compensate" }, async (ctx) => {
      await ctx.transaction("write", (tx) => tx.$executeRawUnsafe(insert("undo")), {
        compensate: async (_, { tx }) => {
          bodies++;
          await tx.$executeRawUnsafe("delete from own_row where word = 'undo'");
          await tx.$executeRawUnsafe("commit");
        },
      });
      await ctx.step("fail", () => Promise.reject(new Error("no")), { retry: { maxAttempts: 1 } });
    }),
  );
  expect(run.status).toBe("compensating");
  expect(compensations).toMatchObject([{ step: "write", status: "failed", error: { code: "transaction_ended" } }]);
  expect(bodies).toBe(1);
});

it("what a body of plain pg leaves running comes before its commit, and rolls it back if it fails", async () => {
  const word = "left-running";
  const say = (tx: PgTransaction, row: string) => tx.query("insert into own_row values ($1)", [`${word}-${row}`]);
  const workflow = defineWorkflow({ name: word, input, retry: { ...retry, maxAttempts: 1 } }, (ctx) =>
    ctx.transaction(
      "write",
      async (tx: PgTransaction) => {
        for (const order of ["a", "b"])
          void say(tx, order)
            .then(() => say(tx, "the line of both"))
            .catch(() => undefined);
      },
      { client: "pg" },
    ),
  );
  const { run } = await engine.runToEnd(workflow);
  expect(run).toMatchObject({ status: "failed", error: { code: "transaction_aborted" } });
  expect(await rowsLike(word)).toEqual([]);
});
