import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** For the copies in which mutants are tried out: every kind of test in one project, all on one server that runs already. */
export default defineConfig({
  root,
  resolve: { alias: { "@": root } },
  test: {
    include: ["**/*.test.ts"],
    exclude: configDefaults.exclude,
    provide: JSON.parse(readFileSync(`${root}/provided.json`, "utf8")),
    // Whatever fails has to fail twice: an accident of a busy machine kills no mutant.
    retry: 1,
    maxWorkers: 1,
  },
});
