import { expect, it } from "vitest";
import { clientOf } from "./client";
import { ageOf, positionInCookie, sightOfBrowser } from "./sight-of-browser";

it("a client sends back the latest position that it was answered with, in whichever order the answers came", async () => {
  const sent: (string | undefined)[] = [];
  const positions = ["1/10", "1/30", "1/20", null];
  const fetch = async (_: unknown, { headers }: { headers?: Record<string, string> } = {}) => {
    sent.push(headers?.["handrail-wal"]);
    const position = positions.shift();
    return Response.json({}, { headers: position ? { "handrail-wal": position } : {} });
  };
  const { read } = clientOf({ base: "http://localhost/api", fetch: fetch as typeof globalThis.fetch });
  for (let n = 0; n < 4; n++) await read("/v1/runs", {});
  expect(sent).toEqual([undefined, "1/10", "1/30", "1/30"]);
});

it.each([
  ["handrail-wal=1/AB", "1/AB"],
  ["theme=dark; handrail-wal=1/AB; other=1", "1/AB"],
  ["not-handrail-wal=1/AB", null],
  ["handrail-wal=latest", null],
  ["", null],
  [null, null],
])("of the cookies %j the position is %j", (cookies, position) => expect(positionInCookie(cookies)).toBe(position));

it("an answer has the age that its header says, until the next one to that path; a write has none", () => {
  const { note } = sightOfBrowser;
  const old = new Headers({ "handrail-data-age-ms": "5000" });
  note(old, "/v1/runs");
  note(new Headers(), "/v1/workers");
  note(new Headers());
  expect([ageOf("/v1/runs"), ageOf("/v1/workers"), ageOf("/v1/search")]).toEqual([5_000, 0, 0]);
  note(new Headers(), "/v1/runs");
  expect(ageOf("/v1/runs")).toBe(0);
});
