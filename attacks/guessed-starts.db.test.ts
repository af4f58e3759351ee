import { afterAll, beforeAll, it } from "vitest";
import { bearer } from "../lib/testing/with-sign-in";
import { type Scene, SECRET, twoWorlds } from "./oracle-scene";
import { attackTable, unless } from "./table";

/* A start with a known idempotency key says whether its input is the one that the key has started a run with. */

let scene: Scene;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  scene = await twoWorlds();
  for (const name of ["starter", "guesser"]) tokens[name] = await scene.mint(["operator"], { name });
  tokens.reader = await scene.mint(["operator", "payload.read"]);
});
afterAll(() => scene.close());

const holds = attackTable("guessed starts");

const masked = { email: SECRET.text, note: "known" };
const named = { password: "x1", note: "known" };
const open = { note: "known" };
/** What the run was started with, and guesses at what is masked in it. */
const GUESSED: [input: object, wrong: object][] = [
  [masked, { ...masked, email: "bert.nobody@example.com" }],
  [named, { ...named, password: "x2" }],
];
const ENDS = ["/v1/runs", "/v1/runs/batch"] as const;

async function start(who: string, path: string, key: string, input: object) {
  const run = { input, idempotencyKey: key };
  const body =
    path === "/v1/runs" ? { workflow: scene.guess.workflow, ...run } : { workflow: scene.guess.workflow, runs: [run] };
  const { status, body: answer } = await scene.ask("POST", path, { body, headers: bearer(tokens[who] as string) });
  return {
    status,
    created: answer.runs?.[0].created ?? status === 201,
    error: answer.error && [answer.error.code, answer.error.message, answer.error.details],
  };
}

const isStarted = ({ status, created }: Awaited<ReturnType<typeof start>>) => status < 300 && created;
const isRepeated = ({ status, created }: Awaited<ReturnType<typeof start>>) => status < 300 && !created;

it("a guess of what is masked is answered like one that is wrong, to everybody but readers and who started the run", async () => {
  const rows = ENDS.flatMap((path) =>
    ENDS.flatMap((again) => GUESSED.map(([input, wrong]) => ({ path, again, input, wrong }))),
  );
  await holds(rows, async ({ path, again, input, wrong }) => {
    const key = JSON.stringify([path, again, input]);
    const first = await start("starter", path, key, input);
    const right = await start("guesser", again, key, input);
    const decoy = await start("guesser", again, key, wrong);
    const own = await start("starter", again, key, input);
    const seen = [await start("reader", again, key, input), await start("reader", again, key, wrong)] as const;
    const alike = right.status === 409 && JSON.stringify(right) === JSON.stringify(decoy);
    const answered = isStarted(first) && isRepeated(own) && isRepeated(seen[0]) && seen[1].status === 409;
    return unless(alike && answered, key, { first, right, decoy, own, seen });
  });
});

it("where it is not known who started a run, readers alone are answered; an input that is shown whole is compared", async () => {
  await holds(ENDS, async (path) => {
    const key = `by code ${path}`;
    await start("starter", path, key, masked);
    await scene.database.pool.query("update handrail.run set key_owner = null where idempotency_key = $1", [key]);
    const [right, decoy] = [await start("starter", path, key, masked), await start("starter", path, key, open)];
    const reader = await start("reader", path, key, masked);
    const alike = right.status === 409 && JSON.stringify(right) === JSON.stringify(decoy);
    return unless(alike && isRepeated(reader), key, { right, decoy, reader });
  });
  await holds(ENDS, async (path) => {
    const key = `open ${path}`;
    await start("starter", path, key, open);
    const [right, wrong] = [
      await start("guesser", path, key, open),
      await start("guesser", path, key, { note: "other" }),
    ];
    return unless(isRepeated(right) && wrong.status === 409, key, { right, wrong });
  });
});
