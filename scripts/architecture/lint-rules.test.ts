import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

interface Diagnostic {
  category: string;
  location: { path: string | { file: string } };
}

/** What Biome reports with our configuration for a project of these files, as `path rule`, sorted. */
function lintedWith(files: Record<string, string>): string[] {
  const project = mkdtempSync(join(tmpdir(), "handrail-lint-"));
  try {
    for (const name of ["biome.json", "package.json"]) cpSync(join(root, name), join(project, name));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), text);
    }
    const biome = [join(root, "node_modules/@biomejs/biome/bin/biome"), "lint", "--reporter=json", "."];
    const { stdout } = spawnSync(process.execPath, biome, { cwd: project, encoding: "utf8" });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    return diagnostics
      .map(({ category, location: { path } }) => `${typeof path === "string" ? path : path.file} ${category}`)
      .sort();
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

test("Biome holds the rules on imports that it can: rings, types included; development dependencies outside of tools", () => {
  const usesJose = `import { generateSecret } from "jose";\nexport const secret = () => generateSecret("HS256");\n`;
  const files = {
    "lib/engine/a.ts": `import type { B } from "./b";\nexport type A = B[];\n`,
    "lib/engine/b.ts": `import type { A } from "./a";\nexport type B = { a?: A };\n`,
    "lib/server.ts": usesJose,
    "lib/server.test.ts": usesJose,
    "demo/sandbox/server.ts": usesJose,
    "lib/unknown.ts": `import "left-pad";\n`,
    "components/text.tsx": `export const Text = () => <p dangerouslySetInnerHTML={{ __html: "" }} />;\n`,
  };
  expect(lintedWith(files)).toEqual([
    "components/text.tsx lint/security/noDangerouslySetInnerHtml",
    "lib/engine/a.ts lint/suspicious/noImportCycles",
    "lib/engine/b.ts lint/suspicious/noImportCycles",
    "lib/server.ts lint/correctness/noUndeclaredDependencies",
    "lib/unknown.ts lint/correctness/noUndeclaredDependencies",
  ]);
});
