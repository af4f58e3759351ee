import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { type InstalledApp, node, ours } from "./installed-app";

/** `handrail/eslint` of the installed package. */
export function eslintCases(appOf: () => InstalledApp): void {
  it("ESLint takes the rules, and finds a step that is not awaited", async () => {
    const { folder } = appOf();
    const config = 'import { recommended } from "handrail/eslint";\nexport default [recommended];\n';
    await writeFile(path.join(folder, "eslint.config.mjs"), config);
    const eslint = node([ours("eslint/bin/eslint.js"), "dev/forgotten.mjs"], folder);
    await expect(eslint).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^ +6:3 +error +ctx\.step\(…\) is not awaited.* +handrail\/await-steps$/m),
    });
  });
}
