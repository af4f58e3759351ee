import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "../../lib/api/endpoint";
import { addressOf, bodiesOf, ENDPOINTS, parametersOf, queryNames, withValue } from "./fields";
import { answerOf, difference } from "./oracle-answers";
import { nameOf, OF_NO_RUN, ONLY_TRIED, PLACED } from "./oracle-places";
import { type Scene, twoWorlds, type World } from "./oracle-scene";
import { attackTable } from "./table";

/*
 * Masking by value is an oracle wherever a caller can place a text beside masked values: if it gets masked, it was a
 * good guess. Tries every text that a caller can place, in a scene where it is a masked value and in one where it is
 * not; all answers must be alike.
 */

let scene: Scene;
let operator: string;
beforeAll(async () => {
  scene = await twoWorlds();
  operator = await scene.mint(["operator", "system.read", "access.manage", "sandbox.change"]);
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

type Request = readonly [method: string, path: string, body?: unknown];

/** The same request in both scenes. */
async function inBoth(ask: (world: World) => Request): Promise<string | null> {
  const answerIn = (world: World) => answerOf(scene, world, operator, ask(world));
  return difference(await answerIn(scene.guess), await answerIn(scene.decoy));
}

const given = ({ runs, workflow, schedule, problemId }: World, runId = runs.failed) => ({
  ...{ runId, workflow, name: schedule, problemId },
  step: "charge-payment",
});

/** Every place of an endpoint for a string: parts of its path, names of its query, fields of its bodies. */
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

/** Run ids in a body are those of the scene. */
const withRun = (body: unknown, { runs, workflow }: World): unknown => {
  const named = body as { selection?: unknown; workflow?: string; id?: string };
  // An event counts once by its id, in both scenes together.
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
      return [endpoint.method, path, body];
    });
    return differs && `${nameOf(endpoint)} ${label}: ${differs}`;
  });
});

it("what is picked from the runs of a list is named as it was asked for, and found as it is shown", async () => {
  const paths = (word: string) => [`input.${word}`, `input.byEmail.${word}`, `input.email.${word}`, `output.${word}`];
  await holds([0, 1, 2, 3], async (index) => {
    const differs = await inBoth((world) => {
      const asked = new URLSearchParams({ workflow: world.workflow, paths: paths(world.word.text)[index] as string });
      return ["GET", `/v1/runs?${asked}`];
    });
    return differs && `paths ${index}: ${differs}`;
  });
});
