/**
 * After `npm ci`: makes Prisma's client from the schema, in lib/generated. An install for production (`npm ci --omit=dev`) has
 * no Prisma CLI; it serves what was built before, and lib/generated is part of that, as .next is.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = `${root}node_modules/prisma/build/index.js`;

if (existsSync(cli)) {
  const { status } = spawnSync(process.execPath, [cli, "generate"], { cwd: root, stdio: "inherit" });
  process.exitCode = status ?? 1;
} else if (!existsSync(`${root}lib/generated/prisma/client.ts`)) {
  console.log(
    "Without development dependencies nothing can be built here. Build elsewhere (`npm ci && npm run build`), then copy .next and lib/generated.",
  );
}
