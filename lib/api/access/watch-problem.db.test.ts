import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readOverview } from "../../operator/runs/reads";
import { type Db, poolDb } from "../../store/db";
import { deleteOldProblems } from "../../store/problems/old-problems";
import { MOST_WATCHED } from "../../store/problems/watches";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { aRun } from "../../testing/rows/a-run";
import { foldAll } from "../../worker/duties/problem-loop";
import type { Problem, ProblemDetail } from "../contract/problems";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let db: Db;
/** The cookies of two people who look after the same problems. */
const cookies = { ada: "", bo: "" };
type Name = keyof typeof cookies;

beforeAll(async () => {
  api = await anApiWithSignIn();
  db = poolDb(api.database.pool);
  cookies.ada = await api.person("ada", "one-for-the-tests-of-watching");
  cookies.bo = await api.person("bo", "one-more-for-the-tests-of-watching", { role: "viewer" });
});
afterAll(() => api.close());

let workflows = 0;
let workflow = "";
let id = "";
beforeEach(async () => {
  workflow = `watched-${++workflows}`;
  await fails();
  const { body } = await api.withCookie(cookies.ada, "GET", `/v1/problems?workflow=${workflow}`);
  id = body.problems[0].id;
});

let keys = 0;
async function fails() {
  await aRun(db, { workflow, idempotencyKey: `w${++keys}` }).failedAt("charge-payment");
  await foldAll(db, () => false);
}
const rows = async (text: string, values: unknown[] = []) => (await api.database.pool.query(text, values)).rows;
const act = (who: Name, what: string, body: object = {}) =>
  api.withCookie(cookies[who], "POST", `/v1/problems/${id}/${what}`, { body });
const read = async (who: Name): Promise<ProblemDetail> =>
  (await api.withCookie(cookies[who], "GET", `/v1/problems/${id}`)).body;
const watched = async (who: Name): Promise<Problem[]> =>
  (await api.withCookie(cookies[who], "GET", "/v1/problems?watched=true")).body.problems;
const inInbox = async (who: Name): Promise<string[]> =>
  (await api.withCookie(cookies[who], "GET", "/v1/overview")).body.problems.changed.map((one: Problem) => one.id);
/** The latest change that is marked for them, in the list. */
const marked = async (who: Name) => (await watched(who)).find((one) => one.id === id)?.watch?.change?.what ?? null;
/** As the page does: up to the entry that it shows. */
async function looks(who: Name) {
  const { history } = await read(who);
  return act(who, "watch/seen", { entry: history[0]?.id ?? "0" });
}

describe("watching a problem", () => {
  it("is for two people at once, each of whom sees that they watch it, and who else does", async () => {
    const answers = await Promise.all([act("ada", "watch"), act("bo", "watch")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const byName = ({ watchers }: ProblemDetail) => [...watchers].sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(byName(await read("ada"))).toEqual([
      { name: "ada", you: true },
      { name: "bo", you: false },
    ]);
    expect(byName(await read("bo"))).toEqual([
      { name: "ada", you: false },
      { name: "bo", you: true },
    ]);
    expect((await act("ada", "watch/end")).body.watch).toBeNull();
    expect((await watched("ada")).map((one) => one.id)).not.toContain(id);
    expect((await watched("bo")).map((one) => one.id)).toContain(id);
  });

  it("is one row for a person who presses twice at the same time; the audit has what was done and what was refused", async () => {
    const answers = await Promise.all([act("ada", "watch"), act("ada", "watch")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await rows("select name from handrail.problem_watch where problem_id = $1", [id])).toEqual([
      { name: "ada" },
    ]);
    await act("ada", "watch/end");
    expect((await act("ada", "watch/end")).body.error).toMatchObject({
      code: "not_allowed",
      message: "You do not watch this problem.",
    });
    const audit = await rows("select act, actor, result from handrail.audit where workflow = $1 order by id", [
      workflow,
    ]);
    expect(audit).toEqual([
      { act: "problem_watch", actor: "ada", result: "done" },
      { act: "problem_watch", actor: "ada", result: "denied" },
      { act: "problem_unwatch", actor: "ada", result: "done" },
      { act: "problem_unwatch", actor: "ada", result: "denied" },
    ]);
  });

  it("leaves the problem's revision and history as they are", async () => {
    const before = await read("bo");
    await act("ada", "watch");
    expect(await read("bo")).toMatchObject({ revision: before.revision, history: before.history });
  });

  it("marks what changed until its watcher looks, for each watcher alone, and marks it again", async () => {
    await act("ada", "watch");
    await act("bo", "watch");
    expect([await marked("bo"), await inInbox("bo")]).toEqual([null, []]);
    await act("ada", "assignment", { assignee: "ada" });
    await act("ada", "resolution", { reason: "mended" });
    expect([await marked("bo"), await inInbox("bo")]).toEqual(["resolve", [id]]);
    expect((await looks("bo")).status).toBe(200);
    expect([await marked("bo"), await inInbox("bo")]).toEqual([null, []]);
    expect(await marked("ada")).toBe("resolve");
    await fails();
    expect([await marked("bo"), await inInbox("bo")]).toEqual(["came_back", [id]]);
    await looks("bo");
    expect(await marked("bo")).toBeNull();
    await act("ada", "mute", { reason: "known" });
    expect(await marked("bo")).toBe("mute");
  });

  it("keeps the mark for what came after the entry that was shown, also if a later entry is claimed", async () => {
    await act("bo", "watch");
    await act("ada", "notes", { text: "The gateway is down." });
    const { history } = await read("bo");
    await act("ada", "notes", { text: "It is back." });
    await act("bo", "watch/seen", { entry: history[0]?.id });
    expect(await marked("bo")).toBe("note");
    await act("bo", "watch/seen", { entry: "999999999999" });
    expect(await marked("bo")).toBeNull();
    await act("ada", "notes", { text: "For good." });
    expect(await marked("bo")).toBe("note");
  });

  it("takes the permission to look at problems of that workflow, and no more", async () => {
    const elsewhere = { role: "viewer", workflows: ["another"] };
    const cookie = await api.person(`cy-${workflows}`, "a-third-for-the-tests-of-watching", elsewhere);
    expect((await api.withCookie(cookie, "POST", `/v1/problems/${id}/watch`, { body: {} })).status).toBe(403);
    expect(
      (await api.withCookie(cookie, "POST", `/v1/problems/${id}/watch/seen`, { body: { entry: "1" } })).status,
    ).toBe(403);
    const workerAlone = await api.mint(["worker.work"]);
    expect((await api.as(workerAlone, "POST", `/v1/problems/${id}/watch`, { body: {} })).status).toBe(403);
    expect((await read("ada")).watchers).toEqual([]);
    const { acts } = await read("bo");
    expect(acts.filter(({ open }) => open).map((state) => state.act)).toEqual(["watch"]);
  });

  it("no longer shows problems of workflows that the person may not see any more", async () => {
    const name = `di-${workflows}`;
    const cookie = await api.person(name, "a-fourth-for-the-tests-of-watching", { role: "viewer" });
    await api.withCookie(cookie, "POST", `/v1/problems/${id}/watch`, { body: {} });
    await rows("update handrail.person set workflows = array['another'] where name = $1", [name]);
    expect((await api.withCookie(cookie, "GET", "/v1/problems?watched=true")).body.problems).toEqual([]);
  });

  it("ends with a person's access, and with the person", async () => {
    const name = `el-${workflows}`;
    const cookie = await api.person(name, "a-fifth-for-the-tests-of-watching");
    await api.withCookie(cookie, "POST", `/v1/problems/${id}/watch`, { body: {} });
    expect((await read("ada")).watchers).toEqual([{ name, you: false }]);
    await rows("update handrail.person set disabled_at = clock_timestamp() where name = $1", [name]);
    expect((await read("ada")).watchers).toEqual([]);
    await rows("delete from handrail.person where name = $1", [name]);
    expect(await rows("select from handrail.problem_watch where problem_id = $1", [id])).toEqual([]);
  });

  it("is also for a program, by its token, until the token is revoked or gone", async () => {
    const secret = await api.mint(["viewer"], { name: `pager-${workflows}` });
    await api.as(secret, "POST", `/v1/problems/${id}/watch`, { body: {} });
    expect((await read("ada")).watchers).toEqual([{ name: `pager-${workflows}`, you: false }]);
    expect((await api.as(secret, "GET", "/v1/problems?watched=true")).body.problems).toHaveLength(1);
    await rows("update handrail.token set revoked_at = clock_timestamp() where name = $1", [`pager-${workflows}`]);
    expect((await read("ada")).watchers).toEqual([]);
    await rows("delete from handrail.token where name = $1", [`pager-${workflows}`]);
    expect(await rows("select from handrail.problem_watch where problem_id = $1", [id])).toEqual([]);
  });

  it("is forgotten with the problem", async () => {
    await act("ada", "watch");
    await rows(
      "update handrail.problem set open_runs = 0, first_at = now() - interval '91 days', last_at = now() - interval '91 days' where id = $1",
      [id],
    );
    await deleteOldProblems(db, 100);
    expect(await rows("select from handrail.problem_watch where problem_id = $1", [id])).toEqual([]);
    expect((await act("ada", "watch")).body.error.code).toBe("unknown_problem");
    expect((await act("ada", "watch/seen", { entry: "1" })).status).toBe(200);
  });

  it("has a bound, so that the list of what a person watches stays short", async () => {
    const cookie = await api.person(`fi-${workflows}`, "a-sixth-for-the-tests-of-watching");
    const [person] = await rows("select id from handrail.person where name = $1", [`fi-${workflows}`]);
    await rows(
      `with copied as (
        insert into handrail.problem (id, kind, workflow, error_name, pattern, first_at, last_at, example_run_id, example_version, example_error)
        select gen_random_uuid(), kind, workflow, error_name, pattern, first_at, last_at, example_run_id, example_version, example_error
        from handrail.problem, generate_series(1, $3::int) where id = $1 returning id)
      insert into handrail.problem_watch (problem_id, owner_id, name, seen) select id, 'person:' || $2, 'fi', 0 from copied`,
      [id, person.id, MOST_WATCHED],
    );
    const { status, body } = await api.withCookie(cookie, "POST", `/v1/problems/${id}/watch`, { body: {} });
    expect([status, body.error.message]).toEqual([409, "You watch 200 problems. Stop watching one first."]);
    const page = await api.withCookie(cookie, "GET", "/v1/problems?watched=true&limit=100");
    expect([page.body.problems.length, page.body.nextCursor]).toEqual([100, expect.any(String)]);
  });
});

it("an overview that nobody asked for has nothing that is watched", async () => {
  await act("ada", "watch");
  await act("bo", "watch");
  await act("ada", "notes", { text: "Known." });
  expect((await readOverview(db, { cap: 10, demo: false })).problems.changed).toEqual([]);
});
