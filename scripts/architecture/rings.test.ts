import { expect, test } from "vitest";
import { findRings } from "./rings";
import { readSourceFile } from "./source-file";

function ringsOf(files: Record<string, string>): string[] {
  const paths = new Set(Object.keys(files));
  const sources = Object.entries(files).map(([path, text]) => readSourceFile(path, text, paths));
  return findRings(sources).map(({ path, line, does }) => `${path}:${line} ${does}`);
}

test("folders of components that import each other are found, types as well", () => {
  const files = {
    "components/domain/run/words.ts": `import { look } from "@/components/parts/status/look";\nimport { act } from "../actions/act";`,
    "components/domain/actions/act.ts": `import type { Name } from "../run/words";`,
    "components/parts/status/look.ts": "export const look = 1;",
  };
  expect(ringsOf(files)).toEqual([
    "components/domain/run/words.ts:2 closes a ring of folders: components/domain/run → components/domain/actions → components/domain/run",
    "components/domain/actions/act.ts:1 closes a ring of folders: components/domain/actions → components/domain/run → components/domain/actions",
  ]);
});

test("a ring of three is found where each of its arrows begins, by `import()` as well", () => {
  const files = {
    "components/pages/runs/page.tsx": `import { table } from "./table/table";`,
    "components/pages/runs/table/table.tsx": `const columns = import("../columns/columns");`,
    "components/pages/runs/columns/columns.ts": `import { page } from "../page";`,
  };
  expect(ringsOf(files).map((text) => text.split(" → ").length)).toEqual([4, 4, 4]);
});

test("a folder's own files, the primitives among themselves, tests and what lies outside components may", () => {
  const files = {
    "components/domain/run/a.ts": `import { b } from "./b";`,
    "components/domain/run/b.ts": `import { a } from "./a";`,
    "components/domain/run/a.test.ts": `import { act } from "../actions/act";`,
    "components/domain/actions/act.ts": `import { a } from "../run/a";`,
    "components/ui/icon-button.tsx": `import { Tooltip } from "./overlay/tooltip";`,
    "components/ui/overlay/tooltip.tsx": `import { Button } from "../icon-button";`,
    "lib/worker/loop/a.ts": `import { b } from "../passes/b";`,
    "lib/worker/passes/b.ts": `import { a } from "../loop/a";`,
  };
  expect(ringsOf(files)).toEqual([]);
});
