import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "../lib/api/endpoint";
import { HIDDEN } from "../lib/engine/hidden-text";
import { BOOTSTRAP, bearer } from "../lib/testing/with-sign-in";
import { addressOf, bodiesOf, ENDPOINTS, parametersOf, queryNames, withValue } from "./fields";
import { nameOf, OF_NO_RUN, ONLY_TRIED, PLACED } from "./oracle-places";
import { type Scene, twoWorlds, type World } from "./oracle-scene";
import { attackTable, unless } from "./table";

/*
 * Hiding masked values by value is an oracle wherever somebody can put a text of theirs beside them: what is hidden was a good guess.
 * Every text that a caller can place, in a world where it is a masked value and in one where it is none; every answer alike.
 */

let scene: Scene;
let operator: string;
let reader: string;
beforeAll(async () => {
  scene = await twoWorlds();
  operator = await scene.mint(["operator", "system.read", "access.manage", "sandbox.change"]);
  reader = await scene.mint(["operator", "payload.read"]);
});
afterAll(() => scene.close());

const holds = attackTable("oracles");

it("each endpoint that takes words is classified", () => {
  const takesWords = (endpoint: Endpoint) =>
    bodiesOf(endpoint).length > 0 || queryNames(endpoint).length > 0 || parametersOf(endpoint).length > 0;
  const unknown = ENDPOINTS.filter(takesWords)
    .map(nameOf)
    .filter((name) => !OF_NO_RUN.test(name) && !PLACED[name] && !ONLY_TRIED.has(name));
  expect(unknown).toEqual([]);
});

/** What differs between two answers that are alike. */
const normalized = (text: string, { word }: World) =>
  text
    .replaceAll(new RegExp(word.text.replaceAll(".", "\\."), "gi"), "WORD")
    .replaceAll(encodeURIComponent(word.text), "WORD")
    .replaceAll(String(word.number), "NUMBER")
    .replaceAll(/vault-(guess|decoy)/g, "WORKFLOW")
    .replaceAll(/"behindMs":[\d.]+/g, '"behindMs":0')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/[0-9a-f]{64}/g, "HASH")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "THEN")
    .replaceAll(/"(id|seq|workerId)":"?\d+"?/g, '"$1":0')
    .replaceAll(/"(nextCursor)":"[^"]+"/g, '"$1":"C"');

async function answer(world: World, method: string, path: string, body?: unknown, token = operator) {
  const response = await scene.send(method, path, {
    headers: bearer(token),
    ...(body !== undefined && { body }),
  });
  return { status: response.status, text: await response.text(), world };
}

/** The same question in both worlds. */
async function inBoth(ask: (world: World) => Promise<Awaited<ReturnType<typeof answer>>>) {
  const [guess, decoy] = [await ask(scene.guess), await ask(scene.decoy)];
  const [told, other] = [guess, decoy].map(({ status, text, world }) => `${status} ${normalized(text, world)}`);
  return told === other ? null : `${at(told as string, other as string)}`;
}

function at(one: string, other: string): string {
  const first = [...one].findIndex((letter, index) => letter !== other[index]);
  return `${one.slice(Math.max(0, first - 150), first + 80)} / ${other.slice(first, first + 80)}`;
}

const given = ({ runs, workflow, schedule, problemId }: World, runId = runs.failed) => ({
  ...{ runId, workflow, name: schedule, problemId },
  step: "charge-payment",
});

/** Every place of an endpoint for a word: parts of its path, names of its query, fields of its bodies. */
function requestsOf(endpoint: Endpoint): { label: string; ask: (world: World) => [string, unknown?] }[] {
  const { path } = endpoint;
  const value = ({ word }: World, type: string) => (/^(integer|number)$/.test(type) ? word.number : word.text);
  return [
    ...parametersOf(endpoint)
      .filter((name) => !/id$/i.test(name))
      .map((name) => ({
        label: `{${name}}`,
        ask: (world: World): [string, unknown?] => [
          addressOf(endpoint, { ...given(world), [name]: encodeURIComponent(world.word.text) }),
          bodiesOf(endpoint)[0]?.value,
        ],
      })),
    ...(endpoint.method === "GET" ? queryNames(endpoint) : []).flatMap((name) =>
      ["", "input."].map((prefix) => ({
        label: `?${name}=${prefix}…`,
        ask: (world: World): [string] => {
          const query = new URLSearchParams({ [name === "tags" ? "tag.email" : name]: prefix + world.word.text });
          if (queryNames(endpoint).includes("workflow") && name !== "workflow") query.set("workflow", world.workflow);
          return [`${addressOf(endpoint, given(world))}?${query}`];
        },
      })),
    ),
    ...bodiesOf(endpoint).flatMap(({ value: body, fields }) =>
      fields
        .filter(({ type }) => type !== "enum" && type !== "boolean")
        .map(({ path: place, type }) => ({
          label: `${place.join(".")} of the body`,
          ask: (world: World): [string, unknown] => [
            addressOf({ ...endpoint, path }, given(world)),
            withValue(withRun(body, world), place, value(world, type)),
          ],
        })),
    ),
  ];
}

/** Runs that a body names are those of the world. */
const withRun = (body: unknown, { runs, workflow }: World): unknown => {
  const named = body as { selection?: unknown; workflow?: string; id?: string };
  // An event counts once by its id, in both worlds together.
  if (named.id !== undefined) return { ...named, id: workflow };
  if (named.workflow !== undefined) return { ...named, workflow };
  return named.selection ? { ...named, selection: { runIds: [runs.failed] } } : body;
};

it("each field of each endpoint is answered alike, whether the word in it is a masked value or not", async () => {
  const rows = ENDPOINTS.filter((endpoint) => !OF_NO_RUN.test(nameOf(endpoint))).flatMap((endpoint) =>
    requestsOf(endpoint).map((request) => ({ endpoint, ...request })),
  );
  await holds(rows, async ({ endpoint, label, ask }) => {
    const differs = await inBoth((world) => {
      const [path, body] = ask(world);
      return answer(world, endpoint.method, path, body);
    });
    return differs && `${nameOf(endpoint)} ${label}: ${differs}`;
  });
});

it("what is picked from the runs of a list is named as it was asked for, and found as it is shown", async () => {
  const paths = (word: string) => [`input.${word}`, `input.byEmail.${word}`, `input.email.${word}`, `output.${word}`];
  await holds([0, 1, 2, 3], async (index) => {
    const differs = await inBoth((world) => {
      const asked = new URLSearchParams({ workflow: world.workflow, paths: paths(world.word.text)[index] as string });
      return answer(world, "GET", `/v1/runs?${asked}`);
    });
    return differs && `paths ${index}: ${differs}`;
  });
});

/** Every address of a GET, in one world. */
function readsIn(world: World, started: readonly string[]): string[] {
  return ENDPOINTS.filter((endpoint) => endpoint.method === "GET" && !OF_NO_RUN.test(nameOf(endpoint))).flatMap(
    (endpoint) => {
      if (/\{(planId|operationId)\}/.test(endpoint.path)) return [];
      const steps = ["charge-payment", "send-confirmation", "ask", "create-order"];
      const runs = /\{runId\}/.test(endpoint.path) ? [...Object.values(world.runs), ...started] : [""];
      const addresses = runs.flatMap((runId) =>
        (/\{step\}/.test(endpoint.path) ? steps : [""]).map((step) =>
          addressOf(endpoint, { ...given(world, runId), step }),
        ),
      );
      const query = new URLSearchParams();
      const names = queryNames(endpoint);
      if (names.includes("workflow")) query.set("workflow", world.workflow);
      if (endpoint.path === "/v1/search") query.set("q", world.workflow);
      if (/backfills$/.test(endpoint.path)) {
        query.set("from", "2026-01-01T00:00:00Z");
        query.set("to", "2026-01-03T00:00:00Z");
      }
      return addresses.map((address) => `${address}?${query}`);
    },
  );
}

/** How often the world's word is in an answer, and how much is hidden in it. */
const seen = ({ text, world: { word } }: { text: string; world: World }) =>
  [
    text.toLowerCase().split(word.text).length,
    text.split(String(word.number)).length,
    text.split(HIDDEN).length,
    text.split('"masked"').length,
  ].join();

let bound: Record<"guess" | "decoy", string>;

it("what was placed in a run is shown alike by every answer, whether it is a masked value or not", async () => {
  bound = {
    guess: await scene.mint(["viewer"], { workflows: [scene.guess.workflow] }),
    decoy: await scene.mint(["viewer"], { workflows: [scene.decoy.workflow] }),
  };
  const started: Record<"guess" | "decoy", string[]> = { guess: [], decoy: [] };
  for (const kind of ["guess", "decoy"] as const) started[kind].push(await startedAgain(scene[kind]));
  await holds(Object.entries(PLACED), async ([name, place]) => {
    const statuses: number[] = [];
    const differs = await inBoth(async (world) => {
      const [path, body] = place(world);
      const placed = await answer(world, name.split(" ")[0] as string, path, body);
      statuses.push(placed.status);
      return placed;
    });
    return differs ?? unless((statuses[0] as number) < 300, `${name} places nothing`, statuses);
  });
  const reads = readsIn(scene.guess, started.guess).map((address, index) => ({
    guess: address,
    decoy: readsIn(scene.decoy, started.decoy)[index] as string,
  }));
  await holds(reads, async (addresses) => {
    const whole = /^\/v1\/(overview|audit|plan-approvals)/.test(addresses.guess);
    const [guess, decoy] = await Promise.all(
      (["guess", "decoy"] as const).map((kind) =>
        answer(scene[kind], "GET", addresses[kind], undefined, whole ? operator : bound[kind]),
      ),
    );
    if (!guess || !decoy) return "no answer";
    const same = guess.status === decoy.status && seen(guess) === seen(decoy);
    return unless(same, addresses.guess, [
      guess.status,
      seen(guess),
      decoy.status,
      seen(decoy),
      guess.text.slice(0, 300),
    ]);
  });
});

/** A run in the place of one, with an input that somebody edited who does not see all of it. */
async function startedAgain({ runs, word }: World): Promise<string> {
  const { body: run } = await scene.as(operator, "GET", `/v1/runs/${runs.completed}`);
  const input = { ...run.input, note: word.text, guesses: [word.number] };
  const plan = { act: "start_again", params: { input }, selection: { runIds: [runs.completed] } };
  const { body: made } = await scene.as(operator, "POST", "/v1/plans", { body: plan });
  const execution = { body: { hash: made.hash, reason: word.text } };
  expect((await scene.as(operator, "POST", `/v1/plans/${made.id}/executions`, execution)).status).toBeLessThan(300);
  const { rows } = await scene.database.pool.query("select run_id from handrail.new_run where from_run_id = $1", [
    runs.completed,
  ]);
  expect(rows).toHaveLength(1);
  return rows[0].run_id;
}

it("who may see masked values sees what was placed, without those", async () => {
  const { body } = await scene.as(reader, "GET", `/v1/runs/${scene.decoy.runs.asking}`);
  expect(JSON.stringify(body.events)).toContain(scene.decoy.word.text);
  const guess = await scene.as(BOOTSTRAP, "GET", `/v1/runs/${scene.guess.runs.asking}`);
  expect(JSON.stringify(guess.body.events)).not.toContain(scene.guess.word.text);
});
