import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { COMPENSATION_LANES } from "../../engine/compensations/compensation-board";
import * as endpoints from "../endpoints";

const page = readFileSync("docs/compensations.md", "utf8");

it("every command of docs/compensations.md is one that the API takes", () => {
  const commands = [...page.matchAll(/runs\/\$RUN(\/\S+).*-d '(.+)'/g)];
  expect(commands).toHaveLength(4);
  for (const [, path = "", body = ""] of commands) {
    const wanted = `/v1/runs/{runId}${path.replace("send-parcel", "{step}")}`;
    const endpoint = Object.values(endpoints).find((candidate) => candidate.path === wanted);
    expect(endpoint, wanted).toMatchObject({ method: "POST" });
    expect(endpoint && "body" in endpoint && endpoint.body?.safeParse(JSON.parse(body)).success, wanted).toBe(true);
  }
});

it("its lanes are those of the board", () => {
  expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, lane]) => lane)).toEqual([...COMPENSATION_LANES]);
});

it("evidence is a link to http or https and nothing else", () => {
  const takes = (evidence: string) =>
    endpoints.resolveCompensation.body?.safeParse({ outcome: "waived", note: "n", evidence }).success;
  expect(takes("https://tickets.example/T-9?x=1#y")).toBe(true);
  for (const address of [
    ...["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>", "file:///etc/passwd", "//a.example"],
    ...[" javascript:alert(1)", "https", "tickets.example/T-9", "vbscript:x", "\u0000https://a.example"],
  ])
    expect(takes(address), address).toBe(false);
});
