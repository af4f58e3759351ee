import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_VIEWS } from "../../engine/runs/saved-view";
import { VIEW_RULES } from "../../store/runs/view-rules";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import type { SavedView } from "../contract/views";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
let [viewer, ada, bob] = ["", "", ""];
beforeAll(async () => {
  api = await anApiWithSignIn();
  viewer = await api.mint(["viewer"]);
  [ada, bob] = [await api.mint(["operator"], { name: "ada" }), await api.mint(["operator"], { name: "bob" })];
});
afterAll(() => api.close());

const STATE = { status: "failed", cols: "status,key,input.customer.tier:120" };
const save = (who: string, name: string, more: object = {}, headers = {}) =>
  api.as(who, "POST", "/v1/views", { body: { name, shared: false, state: STATE, ...more }, headers });
const change = (who: string, { id, name, shared, state, revision }: SavedView, more: object) =>
  api.as(who, "PUT", `/v1/views/${id}`, { body: { name, shared, state, revision, ...more } });
const remove = (who: string, { id, revision }: SavedView) =>
  api.as(who, "POST", `/v1/views/${id}/deletion`, { body: { revision } });
const seenBy = async (who: string): Promise<string[]> =>
  (await api.as(who, "GET", "/v1/views")).body.views.map(({ name }: SavedView) => name);
const audit = (viewId: string) =>
  api.database.pool
    .query("select act, result from handrail.audit where after ->> 'viewId' = $1 order by id", [viewId])
    .then(({ rows }) => rows.map(({ act, result }) => `${act} ${result}`));

describe("saved views", () => {
  it("are private until they are shared, and are in the audit", async () => {
    const { status, body } = await save(ada, "Stuck orders");
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { mine: true, mayChange: true, state: STATE, revision: 1 },
    });
    expect(await seenBy(bob)).not.toContain("Stuck orders");
    expect((await change(bob, body, {})).body.error.code).toBe("unknown_view");
    const shared = (await change(ada, body, { shared: true, name: "Stuck orders, all" })).body;
    expect(shared).toMatchObject({ name: "Stuck orders, all", shared: true, revision: 2, updatedBy: "ada" });
    expect(await seenBy(viewer)).toContain("Stuck orders, all");
    expect((await remove(ada, shared)).status).toBe(200);
    expect(await seenBy(viewer)).not.toContain("Stuck orders, all");
    expect(await audit(body.id)).toEqual(["save_view done", "change_view done", "delete_view done"]);
    for (const { sql } of VIEW_RULES) expect((await api.database.pool.query(sql)).rows).toEqual([]);
  });

  it("may be saved by all who read runs, and shared by operators; refusals are in the audit", async () => {
    expect((await save(viewer, "mine")).status).toBe(201);
    expect((await save(viewer, "ours", { shared: true })).body.error.code).toBe("forbidden");
    const { body } = await save(ada, "team", { shared: true });
    expect((await change(viewer, body, { name: "theirs" })).body.error.code).toBe("forbidden");
    expect((await remove(viewer, body)).status).toBe(403);
    expect((await change(bob, body, { name: "team, by bob" })).body).toMatchObject({ mine: false, mayChange: true });
    expect(await audit(body.id)).toContain("change_view denied");
    expect((await save(await api.mint(["view.save"]), "blind")).status).toBe(201);
    expect((await api.as(await api.mint(["view.save"]), "GET", "/v1/views")).status).toBe(403);
  });

  it("edited by two at once: the second learns whose change was first, and nothing of that change is lost", async () => {
    const { body } = await save(ada, "race", { shared: true });
    const answers = await Promise.all(
      [ada, bob].map((who, at) => change(who, body, { state: { ...STATE, q: `by ${at}` } })),
    );
    const [won] = answers.filter(({ status }) => status === 200);
    const [lost] = answers.filter(({ status }) => status === 409);
    expect(lost?.body.error).toMatchObject({ code: "changed", details: { revision: 2 } });
    const { body: now } = await api.as(ada, "GET", "/v1/views");
    expect(now.views.find(({ id }: SavedView) => id === body.id)).toMatchObject({
      state: won?.body.state,
      revision: 2,
    });
    expect((await remove(bob, body)).body.error.code).toBe("changed");
  });

  it("have one name each, also when two are saved or renamed at once", async () => {
    const both = await Promise.all([save(ada, "twice"), save(ada, "twice")]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    const [one, two] = [(await save(ada, "one")).body, (await save(ada, "two")).body];
    const renamed = await Promise.all([change(ada, one, { name: "both" }), change(ada, two, { name: "both" })]);
    expect(renamed.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(renamed.find(({ status }) => status === 409)?.body.error.code).toBe("not_allowed");
  });

  it("are saved once, though the request is sent twice", async () => {
    const key = { "idempotency-key": "a-view" };
    const answers = await Promise.all([save(ada, "once", {}, key), save(ada, "once", {}, key)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers[0]?.body.id).toBe(answers[1]?.body.id);
  });

  it("are no more than a list can show, and no more than an address holds", async () => {
    const many = await api.mint(["viewer"], { name: "many" });
    for (let at = 0; at < MAX_VIEWS; at++) expect((await save(many, `view ${at}`)).status).toBe(201);
    expect((await save(many, "one more")).body.error.code).toBe("not_allowed");
    for (const wrong of [
      { name: " " },
      { name: "x".repeat(61) },
      { state: { q: "x".repeat(2_001) } },
      { state: { "a b": "" } },
    ])
      expect((await save(ada, "wrong", wrong)).status).toBe(422);
  });
});
