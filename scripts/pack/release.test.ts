import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const workflow = readFileSync(new URL("../../.github/workflows/release.yml", import.meta.url), "utf8");

it("a release runs actions by their commit, and only its last job may write anything", () => {
  const used = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action]) => action);
  expect(used).not.toHaveLength(0);
  for (const action of used) expect(action).toMatch(/^actions\/[\w-]+@[\da-f]{40}$/);
  expect(workflow).toContain("\npermissions: {}\n");
  expect(workflow.match(/[\w-]+: write/g)).toEqual(["id-token: write"]);
  expect(workflow.indexOf("npm ci")).toBeLessThan(workflow.indexOf("id-token: write"));
});
