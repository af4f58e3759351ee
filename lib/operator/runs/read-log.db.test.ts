import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";
import { fileText, snippetsOf } from "../../testing/doc-snippets";
import { anEngine } from "../../testing/workers/engine";
import { readRunLog } from "./read-log";
import { readRun, readRuns } from "./reads";

const engine = anEngine();

// --- what docs/logs-and-progress.md shows

const importUsers = defineWorkflow({ name: "import-users", input: z.object({}) }, async (ctx) => {
  const users = await ctx.step("fetch", ({ log }) => {
    log("asking the directory", { page: 1 });
    return ["ada", "alan", "annie"];
  });
  ctx.log(`the directory has ${users.length} users`);
  for (const [index, user] of users.entries()) {
    await ctx.step(`copy:${user}`, () => user);
    ctx.progress(index + 1, users.length, "users");
  }
});

// --- the rest

it("the page's snippet is in this file", () => {
  const here = fileText(import.meta.url);
  const snippets = snippetsOf("logs-and-progress.md");
  expect(snippets).toHaveLength(1);
  for (const snippet of snippets) expect(here).toContain(snippet);
});

describe("the log of a run", () => {
  it("is read in order, and its progress with the run", async () => {
    const { run } = await engine.runToEnd(importUsers);
    const { lines, nextCursor, full } = await readRunLog(engine.db, run.id, {});
    expect(lines).toMatchObject([
      { during: "body", step: "fetch", attempt: 1, message: "asking the directory", data: { page: 1 } },
      { during: "code", step: null, attempt: null, message: "the directory has 3 users", data: null },
    ]);
    expect({ nextCursor, full }).toEqual({ nextCursor: null, full: false });
    const progress = { done: 3, total: 3, note: "users" };
    expect((await readRun(engine.db, run.id)).progress).toMatchObject(progress);
    expect((await readRuns(engine.db, { workflow: ["import-users"] })).runs[0]?.progress).toMatchObject(progress);
  });

  it("is paged by key, and found by text in message, data and step", async () => {
    const runId = await engine.start(importUsers);
    await engine.rows(
      `insert into handrail.log (run_id, key, during, step, attempt, message, data, at)
       select $1, n::text, 'body', 'a_step', 1, case when n % 2 = 0 then 'Even 100%' else 'odd' end, '{"n":' || n || '}', clock_timestamp()
       from generate_series(1, 25) as n`,
      [runId],
    );
    const all: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await readRunLog(engine.db, runId, { cursor, limit: 10 });
      all.push(...page.lines.map(({ data }) => String((data as { n: number }).n)));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(all).toEqual(Array.from({ length: 25 }, (_, index) => String(index + 1)));
    const found = async (q: string) => (await readRunLog(engine.db, runId, { q })).lines.length;
    expect(await found("even")).toBe(12);
    expect(await found("100%")).toBe(12);
    expect(await found("1%%")).toBe(0);
    expect(await found('"n":7')).toBe(1);
    expect(await found("a_st")).toBe(25);
    expect(await found("a.st")).toBe(0);
    await engine.rows("delete from handrail.log where run_id = $1", [runId]);
  });

  it("is refused for an unknown run, and for a foreign cursor", async () => {
    await expect(readRunLog(engine.db, "019aa5e0-0000-7000-8000-0000000000ff", {})).rejects.toMatchObject({
      code: "unknown_run",
    });
    const runId = await engine.start(importUsers);
    await expect(readRunLog(engine.db, runId, { cursor: "x" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});
