import type { ClientBase, QueryConfig } from "pg";
import { expect, it } from "vitest";
import { clientDb } from "../db";
import { aboutPooler, openSession } from "./session";

/** Postgres as seen through a pooler that cannot be detected: the session is ours, and its statements are not. */
function aDisguisedPooler() {
  const names: (string | undefined)[] = [];
  const client = {
    processID: 7,
    async query(config: string | QueryConfig) {
      if (typeof config === "string") return { rows: [{ own: true }] };
      names.push(config.name);
      if (config.name) throw Object.assign(new Error("already exists"), { code: "42P05" });
      return { rows: [{ answer: 42 }] };
    },
  };
  return { client: client as unknown as ClientBase, names };
}

it("a session that turns out to be shared gets no more prepared statements", async () => {
  const { client, names } = aDisguisedPooler();
  await openSession(client, { statementTimeoutMs: 1, idleInTransactionMs: 1, onePlan: false, boundedReads: false });
  const db = clientDb(client as never);
  const ask = () => db.query({ name: "ask", text: "select 42 as answer" }, []);
  await expect(ask()).rejects.toMatchObject({ code: "42P05" });
  expect(await ask()).toEqual([{ answer: 42 }]);
  expect(names).toEqual(["ask", undefined]);
});

it("a client that was not opened here gets no prepared statements", async () => {
  const { client, names } = aDisguisedPooler();
  await clientDb(client as never).query({ name: "ask", text: "select 42 as answer" }, []);
  expect(names).toEqual([undefined]);
});

it("the log names what a pooler lacks, and what to do", () => {
  expect(aboutPooler({ limited: true })).toBe("DATABASE_URL points to a pooler: statements are not prepared");
  expect(aboutPooler({ limited: false })).toContain("idle_in_transaction_session_timeout");
});
