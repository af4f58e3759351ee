import { afterAll, beforeAll, expect, it } from "vitest";
import { anApiWithSignIn } from "../../testing/api/with-sign-in";

let api: Awaited<ReturnType<typeof anApiWithSignIn>>;
beforeAll(async () => {
  api = await anApiWithSignIn();
  await api.database.pool.query(`insert into handrail.workflow (name, version, title)
    select 'a', n, 'A' from generate_series(1, 600) as n union all values ('y', 3, 'Y'), ('z', 1, 'Z'), ('z', 2, 'Z')`);
});
afterAll(() => api.close());

/** Name and version of each that the caller is shown. */
const shownTo = async (scope: { workflows?: string[] }): Promise<string[]> => {
  const token = await api.mint(["viewer"], scope);
  const { body } = await api.as(token, "GET", "/v1/workflows");
  return body.workflows.map(({ name, version }: { name: string; version: number }) => `${name} ${version}`);
};

it("after hundreds of versions of one workflow, the others are listed as well, and its older versions are not", async () => {
  const shown = await shownTo({});
  expect(shown).toHaveLength(500);
  expect(shown.slice(0, 2)).toEqual(["a 600", "a 599"]);
  expect(shown.slice(-4)).toEqual(["a 104", "y 3", "z 2", "z 1"]);
});

it("shows a caller bound to some workflows all of theirs", async () => {
  expect(await shownTo({ workflows: ["z"] })).toEqual(["z 2", "z 1"]);
  expect(await shownTo({ workflows: ["unknown"] })).toEqual([]);
});
