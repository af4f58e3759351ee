import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { BOOTSTRAP, bearer } from "../../lib/testing/api/with-sign-in";
import { until } from "../../lib/testing/until";
import { ENDPOINTS } from "./fields";
import { type Answer, answerOf, difference, seen } from "./oracle-answers";
import { BRINGS_NOTHING, consolePages, sentBy } from "./oracle-pages";
import { nameOf, PLACED } from "./oracle-places";
import { carryOut, operationsIn, plansIn } from "./oracle-plans";
import { type Made, NOT_READ, parametersIn, readsIn } from "./oracle-reads";
import { type Scene, twoWorlds, type World } from "./oracle-scene";
import { attackTable, unless } from "./table";

/*
 * Places every text that a caller without `payload.read` can place in a run, in a scene where it is a masked value and
 * in one where it is not; every read, page and stream must be alike.
 */

/** The headers of the request for which a page is rendered: Next's part. */
const asked = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({ headers: async () => asked.headers }));
vi.mock("next/server", async (original) => ({ ...(await original<object>()), connection: async () => {} }));

const KINDS = ["guess", "decoy"] as const;
type InBoth<Thing> = Record<(typeof KINDS)[number], Thing>;

let scene: Scene;
let operator: string;
let reader: string;
let ana: string;
const bound = {} as InBoth<string>;
const made: InBoth<Record<keyof Made, string[]>> = {
  guess: { runs: [], plans: [], operations: [] },
  decoy: { runs: [], plans: [], operations: [] },
};
const streams = {} as InBoth<Awaited<ReturnType<typeof follow>>>;
beforeAll(async () => {
  scene = await twoWorlds();
  operator = await scene.mint(["operator", "system.read"]);
  reader = await scene.mint(["operator", "payload.read"]);
  ana = await scene.person("ana", "correct horse battery");
  for (const kind of KINDS) {
    bound[kind] = await scene.mint(["operator"], { workflows: [scene[kind].workflow] });
    streams[kind] = await follow(bound[kind]);
  }
});
afterAll(async () => {
  for (const kind of KINDS) streams[kind]?.leave();
  await scene.close();
});

const holds = attackTable("placed texts");

async function follow(token: string) {
  const leaving = new AbortController();
  const response = await scene.send("GET", "/v1/stream", { headers: bearer(token), signal: leaving.signal });
  const stream = { text: "", leave: () => leaving.abort() };
  void (async () => {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>)
      stream.text += new TextDecoder().decode(part);
  })().catch(() => undefined);
  return stream;
}

it("places them: in runs, in plans of every act, in operations, and in edited inputs", async () => {
  const place = async (label: string, ask: (world: World) => readonly [string, string, unknown]) => {
    const [guess, decoy] = [
      await answerOf(scene, scene.guess, operator, ask(scene.guess)),
      await answerOf(scene, scene.decoy, operator, ask(scene.decoy)),
    ];
    const wrong = difference(guess, decoy) ?? unless(guess.status < 300, `${label} places nothing`, guess);
    return { wrong, bodies: { guess: JSON.parse(guess.text), decoy: JSON.parse(decoy.text) } };
  };
  const planned = { guess: await operationsIn(scene.guess), decoy: await operationsIn(scene.decoy) };
  await holds([...planned.guess.keys()], async (index) => {
    const ofKind = (world: World) => planned[world === scene.guess ? "guess" : "decoy"][index];
    const { wrong, bodies } = await place(`operation ${index}`, (world) => ["POST", "/v1/plans", ofKind(world)]);
    if (wrong) return wrong;
    for (const kind of KINDS) {
      made[kind].plans.push(bodies[kind].id);
      made[kind].operations.push(await carryOut(scene, operator, bodies[kind], scene[kind].word.text));
    }
  });
  await holds([...plansIn(scene.guess).keys()], async (index) => {
    const { wrong, bodies } = await place(`plan ${index}`, (world) => ["POST", "/v1/plans", plansIn(world)[index]]);
    if (wrong) return wrong;
    for (const kind of KINDS) {
      const { id, hash, counts } = bodies[kind];
      made[kind].plans.push(id);
      if (counts.secondPerson.runs === 0) continue;
      const request = { body: { hash, reason: scene[kind].word.text } };
      const approval = await scene.withCookie(ana, "POST", `/v1/plans/${id}/approval`, request);
      expect(approval.status, JSON.stringify(approval.body)).toBe(201);
    }
  });
  for (const kind of KINDS) made[kind].runs.push(await startedAgain(scene[kind], kind));
  await holds(Object.entries(PLACED), async ([name, placing]) => {
    const { wrong } = await place(name, (world) => [name.split(" ")[0] as string, ...placing(world)]);
    return wrong;
  });
});

/** A run started in place of another, with an input edited by a user who cannot see all of it. */
async function startedAgain({ runs, word }: World, kind: "guess" | "decoy"): Promise<string> {
  const { body: run } = await scene.as(operator, "GET", `/v1/runs/${runs.completed}`);
  const input = { ...run.input, note: word.text, guesses: [word.number] };
  const plan = { act: "start_again", params: { input }, selection: { runIds: [runs.completed] } };
  const { body } = await scene.as(operator, "POST", "/v1/plans", { body: plan });
  made[kind].plans.push(body.id);
  made[kind].operations.push(await carryOut(scene, operator, body, word.text));
  const { rows } = await scene.database.pool.query("select run_id from handrail.new_run where from_run_id = $1", [
    runs.completed,
  ]);
  expect(rows).toHaveLength(1);
  return rows[0].run_id;
}

it("each read is read, or is named with the reason why it is not", () => {
  const read = new Set(readsIn(scene.guess, made.guess).map(({ endpoint }) => nameOf(endpoint)));
  const all = ENDPOINTS.filter(({ method }) => method === "GET").map(nameOf);
  expect(all.filter((name) => !read.has(name) && !NOT_READ[name])).toEqual([]);
  expect(Object.keys(NOT_READ).filter((name) => !all.includes(name))).toEqual([]);
});

/** Covers the whole installation, so it is closed to anyone bound to a workflow. */
const OF_ALL = /^\/v1\/(overview|audit|views|plan-approvals)/;

it("every answer shows what was placed alike, whether it is a masked value or not", async () => {
  const reads = { guess: readsIn(scene.guess, made.guess), decoy: readsIn(scene.decoy, made.decoy) };
  await holds([...reads.guess.keys()], async (index) => {
    const read = async (kind: "guess" | "decoy") => {
      const { address } = reads[kind][index] as { address: string };
      return answerOf(scene, scene[kind], OF_ALL.test(address) ? operator : bound[kind], ["GET", address]);
    };
    const [guess, decoy] = await Promise.all([read("guess"), read("decoy")]);
    const address = (reads.guess[index] as { address: string }).address;
    const answered = guess.status < 300 || /\/steps\//.test(address);
    return unless(answered && seen(guess) === seen(decoy), address, [
      seen(guess),
      seen(decoy),
      guess.text.slice(0, 300),
    ]);
  });
});

it("every page sends what was placed alike", async () => {
  const pages = await consolePages();
  const rows = pages.flatMap((page) =>
    BRINGS_NOTHING[page.path] ? [] : parametersIn(scene.guess, made.guess, page).map((_, index) => ({ page, index })),
  );
  expect(Object.keys(BRINGS_NOTHING).filter((path) => !pages.some((page) => page.path === path))).toEqual([]);
  await holds(rows, async ({ page, index }) => {
    const drawn = async (kind: "guess" | "decoy"): Promise<Answer & { reads: number }> => {
      const world = scene[kind];
      const token = page.path === "/" || page.path === "/audit" ? operator : bound[kind];
      asked.headers = new Headers({ host: "127.0.0.1:3000", ...bearer(token) });
      const given = parametersIn(world, made[kind], page)[index];
      const { text, reads } = await sentBy(
        page,
        { ...given, name: /workflows/.test(page.path) ? world.workflow : world.schedule },
        { workflow: world.workflow },
      );
      return { status: 200, text, reads, world };
    };
    // A page omits data that takes longer than a second; on a busy machine it is rendered again.
    const [guess, decoy] = await until(`Whole pages of ${page.path}`, async () => {
      const both = [await drawn("guess"), await drawn("decoy")] as const;
      return both[0].reads > 0 && both[0].reads === both[1].reads && both;
    });
    const came = [seen(guess), seen(decoy), guess.text.slice(0, 300)];
    return unless(seen(guess) === seen(decoy), `${page.path} ${index}`, came);
  });
});

it("every stream names runs, and nothing that was placed", async () => {
  const last = { guess: scene.guess.runs.queued, decoy: scene.decoy.runs.queued };
  for (const kind of KINDS) {
    const body = { reason: scene[kind].word.text };
    await scene.as(operator, "POST", `/v1/runs/${last[kind]}/pause`, { body });
    await until(`The stream of ${kind}`, () => streams[kind].text.includes(last[kind]));
  }
  await holds(KINDS, async (kind) => {
    const { text } = streams[kind];
    const ids = [...Object.values(scene[kind].runs), ...made[kind].runs];
    const fields = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) =>
      Object.keys(JSON.parse(data as string)).join(),
    );
    const heard = ids.filter((id) => text.includes(id)).length > 5;
    // After five silent seconds a heartbeat says whether the database answers.
    return unless(heard && fields.every((names) => names === "runIds,many" || names === "database"), kind, text);
  });
});

it("who may see masked values sees what was placed, without those", async () => {
  const { body } = await scene.as(reader, "GET", `/v1/runs/${scene.decoy.runs.asking}`);
  expect(JSON.stringify(body.events)).toContain(scene.decoy.word.text);
  const guess = await scene.as(BOOTSTRAP, "GET", `/v1/runs/${scene.guess.runs.asking}`);
  expect(JSON.stringify(guess.body.events)).not.toContain(scene.guess.word.text);
});
