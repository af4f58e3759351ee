import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as endpoints from "../endpoints";

/** Each command of the page: the path behind the run, and the body that is sent there. */
const commands = [
  ...readFileSync("docs/console/run-control.md", "utf8").matchAll(/runs\/\$RUN(\/\w+).*-d '(.+)'/g),
].map(([, path, body]) => ({ path: `/v1/runs/{runId}${path}`, body: JSON.parse(body as string) as unknown }));

it("every command of docs/console/run-control.md is one that the API takes", () => {
  expect(commands.map(({ path }) => path.split("/").at(-1))).toEqual([
    "pause",
    "pause",
    "resumption",
    "wakeups",
    "cancellation",
    "reruns",
    "snooze",
    "snooze",
    "snooze",
  ]);
  for (const { path, body } of commands) {
    const endpoint = Object.values(endpoints).find((candidate) => candidate.path === path);
    expect(endpoint, path).toMatchObject({ method: "POST" });
    expect(endpoint && "body" in endpoint && endpoint.body?.safeParse(body).success, path).toBe(true);
  }
});
