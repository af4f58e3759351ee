import { createHash } from "node:crypto";
import { afterAll, beforeAll, it } from "vitest";
import { BOOTSTRAP, bearer } from "../../lib/testing/api/with-sign-in";
import { OWN, REASON, type Scene, theScene } from "./scene";
import { attackTable, unless } from "./table";

const PASSWORD = "correct horse battery";
const ORIGIN = "http://127.0.0.1:3000";

let scene: Scene;
const callers: Record<string, Record<string, string>> = {};
beforeAll(async () => {
  scene = await theScene();
  for (const name of ["ada", "bob"])
    callers[name] = { cookie: await scene.person(name, PASSWORD, { role: "admin" }), origin: ORIGIN };
  for (const name of ["t1", "t2"]) callers[name] = bearer(await scene.mint(["admin"], { name }));
  callers.bootstrap = bearer(BOOTSTRAP);
});
afterAll(() => scene.close());

const holds = attackTable("idempotency keys");

const view = (name: string) => ({
  name: createHash("sha256").update(name).digest("hex").slice(0, 50),
  shared: false,
  state: {},
});
/** Actions open to many callers, each with a repeatable body. */
const ACTIONS: [path: string, body: (key: string) => object][] = [
  ["/v1/views", (key) => view(key)],
  ["/v1/runs", () => ({ workflow: OWN, input: {} })],
  ["/v1/tokens", (key) => ({ name: key, scopes: ["viewer"], expiresInDays: 1, reason: REASON })],
];

const send = (who: string, path: string, key: string, body: object) =>
  scene.ask("POST", path, { body, headers: { ...callers[who], "idempotency-key": key } });

type Sent = Awaited<ReturnType<typeof send>>;
/** The id of what a request has created. */
const madeBy = ({ body }: Sent): string => body.id ?? body.token.id;

it("nobody's key takes another's, for the same request or for one of another kind", async () => {
  const names = Object.keys(callers);
  const rows = names.flatMap((first) =>
    names
      .filter((second) => second !== first)
      .flatMap((second) => ACTIONS.map((action) => ({ first, second, action }))),
  );
  await holds(rows, async ({ first, second, action: [path, body] }) => {
    const key = `order ${first} ${second} ${path}`;
    const other = ACTIONS.find(([one]) => one !== path) as (typeof ACTIONS)[number];
    const [one, same, different] = [
      await send(first, path, key, body(key)),
      await send(second, path, key, body(`${key} again`)),
      await send(second, other[0], key, other[1](key)),
    ];
    const held = [one, same, different].every(({ status }) => status < 300) && madeBy(one) !== madeBy(same);
    return unless(
      held,
      key,
      [one, same, different].map(({ status, body }) => [status, body]),
    );
  });
});

it("the very same request of another gets no answer that was given to somebody else", async () => {
  const names = Object.keys(callers);
  const rows = names.flatMap((first) => names.filter((one) => one !== first).map((second) => ({ first, second })));
  await holds(rows, async ({ first, second }) => {
    const key = `same ${first} ${second}`;
    const body = { workflow: OWN, input: {} };
    const [one, two] = [await send(first, "/v1/runs", key, body), await send(second, "/v1/runs", key, body)];
    return unless(one.status === 201 && two.status === 201 && one.body.id !== two.body.id, key, two.body);
  });
});

it("one's own key is one's own in every session, and one request's", async () => {
  await holds(ACTIONS, async ([path, body]) => {
    const key = `again ${path}`;
    const first = await send("ada", path, key, body(key));
    const { cookie } = callers.ada as { cookie: string };
    await scene.rows("delete from handrail.sign_in_attempt");
    const signIn = { body: { name: "ada", password: PASSWORD }, headers: { origin: ORIGIN } };
    const anew = scene.cookieOf(await scene.ask("POST", "/v1/session", signIn));
    callers.ada = { cookie: anew, origin: ORIGIN };
    const again = await send("ada", path, key, body(key));
    return unless(madeBy(first) === madeBy(again) && anew !== cookie, path, again.body);
  });
  await holds(ACTIONS.slice(0, 2), async ([path, body]) => {
    const key = `conflict ${path}`;
    await send("bob", path, key, body(key));
    const { status } = await send("bob", path, key, { ...body(key), name: "x", workflow: "y" });
    return unless(status === 409 || status === 422, path, status);
  });
});

it("what was answered before keys had owners is answered again to the same request, and in nobody else's way", async () => {
  const body = view("kept");
  const kept = await scene.boot("POST", "/v1/views", body);
  const asked = `POST\n/api/v1/views\n${JSON.stringify(body)}`;
  const fingerprint = createHash("sha256").update(asked).digest("hex");
  const insert =
    "insert into handrail.request (key, fingerprint, status, body) values ($1, $2, 201, to_jsonb($3::text))";
  await scene.rows(insert, ["an old key", fingerprint, JSON.stringify(kept.body)]);
  await holds(["ada", "t1"], async (who) => {
    const again = await send(who, "/v1/views", "an old key", body);
    const other = await send(who, "/v1/views", "an old key", view(`another of ${who}`));
    const held = again.body.id === kept.body.id && other.status === 201;
    return unless(held, who, [again.body, other.body]);
  });
});
