import { afterAll, beforeAll, expect, it } from "vitest";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";
import { verificationListResponse, verificationSchema } from "../contract/verifications";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
const tokens = { ci: "", orders: "", viewer: "" };
beforeAll(async () => {
  api = await anApiWithSignIn();
  tokens.ci = await api.mint(["deploy.mark"]);
  tokens.viewer = await api.mint(["viewer"]);
  tokens.orders = await api.mint(["viewer"], { workflows: ["order-fulfilment"] });
});
afterAll(() => api.close());

const finding = { kind: "twice", step: "mail", seen: "twice", todo: "Use the key.", line: null, faults: ["dies"] };
const verified = { version: 3, commit: "9f3c2d1", trials: 61, passed: 61, steps: ["mail"], findings: [], asked: [] };
const ask = (token: string, workflow: string, body?: object) =>
  api.as(token, body ? "POST" : "GET", `/v1/workflows/${workflow}/verifications`, body && { body });

it("a pipeline publishes a verification of a version, which replaces the one before; viewers read the latest", async () => {
  const first = await ask(tokens.ci, "order-fulfilment", { ...verified, passed: 60, findings: [finding] });
  expect(verificationSchema.parse(first.body)).toMatchObject({ passed: 60, findings: [finding] });
  const again = await ask(tokens.ci, "order-fulfilment", verified);
  await ask(tokens.ci, "order-fulfilment", { ...verified, version: 12 });
  await ask(tokens.ci, "other", verified);
  const { body } = await ask(tokens.orders, "order-fulfilment");
  expect(verificationListResponse.parse(body).verifications).toEqual([
    expect.objectContaining({ version: 12 }),
    again.body,
  ]);
  const audit = "select after from handrail.audit where act = 'publish_verification' and workflow = 'order-fulfilment'";
  const { rows } = await api.database.pool.query(`${audit} order by id`);
  expect(rows.map(({ after }) => [after.version, after.findings])).toEqual([
    [3, 1],
    [3, 0],
    [12, 0],
  ]);
});

it("two that are published at once leave one of them whole", async () => {
  const both = ["a", "b"].map((commit, passed) => ask(tokens.ci, "race", { ...verified, commit, passed }));
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  const { verifications } = verificationListResponse.parse((await ask(tokens.viewer, "race")).body);
  expect(verifications).toHaveLength(1);
  expect(["a0", "b1"]).toContain(`${verifications[0]?.commit}${verifications[0]?.passed}`);
});

it("refuses what is no verification, and callers who may not publish or see the workflow", async () => {
  for (const wrong of [{ passed: 62 }, { version: 0 }, { steps: Array(101).fill("a") }, { findings: [{}] }])
    expect((await ask(tokens.ci, "order-fulfilment", { ...verified, ...wrong })).status).toBe(422);
  expect((await ask(tokens.viewer, "order-fulfilment", verified)).status).toBe(403);
  expect((await ask(tokens.orders, "other")).status).toBe(403);
});
