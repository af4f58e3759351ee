import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { type App, type Stack, writeFiles } from "./embedding";
import { sh } from "./stranger";

const ROUTE = `import { prisma } from "../../src/db";

export async function POST(request: Request) {
  const order: { id: string; cents: number } = await request.json();
  await prisma.order.createMany({ data: [order], skipDuplicates: true });
  return Response.json({}, { status: 201 });
}
`;

export const nextPrisma: Stack = {
  example: "next-prisma",
  kept: [
    ".gitignore",
    "app/layout.tsx",
    "app/orders/[id]",
    "app/page.tsx",
    "prisma",
    "prisma.config.ts",
    "src/db.ts",
    "tsconfig.json",
  ],
  before: { "app/orders/route.ts": ROUTE },
  added: ["zod"],
  table: '"Order"',
  history: "_prisma_migrations",
  migrate: "npx prisma migrate deploy",
  build: "npx next build",
  async noDrift(app) {
    await app.sh("npx prisma migrate diff --from-config-datasource --to-schema=prisma/schema.prisma --exit-code");
    expect(await migrateDev(app)).toMatch(/already in sync/i);
    expect(await app.sh("npx prisma migrate deploy")).toContain("No pending migrations to apply");
  },
  async addNote(app) {
    const file = "prisma/schema.prisma";
    const text = await readFile(path.join(app.folder, file), "utf8");
    await writeFiles(app.folder, { [file]: text.replace("  cents    Int\n", "  cents    Int\n  note     String?\n") });
    await migrateDev(app, " --name note");
    const [, made = ""] = (await readdir(path.join(app.folder, "prisma/migrations"))).sort();
    const sql = await readFile(path.join(app.folder, "prisma/migrations", made, "migration.sql"), "utf8");
    expect(sql.replaceAll(/^--.*\n/gm, "").trim()).toMatch(/^ALTER TABLE "Order" ADD COLUMN +"note" TEXT;$/);
  },
};

/** On a terminal, without which it refuses to run. A question that it asks ends it after a minute. */
function migrateDev({ folder, env }: App, more = ""): Promise<string> {
  const line = `timeout 60 script --quiet --return --command 'npx prisma migrate dev${more}' /dev/null`;
  return sh(line, { cwd: folder, env: { ...env, NO_COLOR: "1" } });
}
