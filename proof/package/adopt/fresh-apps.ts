import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { ROOT } from "../../../scripts/pack/tarball";
import type { Scene } from "./scene";
import { sh } from "./stranger";

const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc");

interface Fresh {
  /** In an empty folder, makes the app in its folder `app`. */
  make: string;
  /** Packages that the generator leaves out. */
  install?: string[];
  files?: Record<string, string>;
  /** How the app itself is compiled. Default: TypeScript, without output. */
  build?: string;
}

const EMPTY = "mkdir app";
/** As `npm init -y` writes it. */
const MANIFEST = '{\n  "name": "app",\n  "version": "1.0.0",\n  "type": "commonjs"\n}\n';
const tsconfig = (more: object) =>
  JSON.stringify({
    compilerOptions: { strict: true, skipLibCheck: true, outDir: "dist", rootDir: "src", ...more },
    include: ["src"],
  });

const APPS: Record<string, Fresh> = {
  next: {
    make: "npx --yes create-next-app@16.4.3 app --ts --app --eslint --no-tailwind --no-src-dir --import-alias '@/*' --use-npm --skip-install --disable-git --yes",
    // The generator's own loads fonts from elsewhere.
    files: {
      "app/layout.tsx":
        'export default function Layout({ children }: { children: React.ReactNode }) {\n  return (\n    <html lang="en">\n      <body>{children}</body>\n    </html>\n  );\n}\n',
    },
    build: "npx next build",
  },
  nest: {
    make: "npx --yes @nestjs/cli@12.0.8 new app --package-manager npm --skip-git --skip-install",
    build: "npx nest build",
  },
  fastify: {
    make: EMPTY,
    install: ["fastify", "typescript@5.9", "@types/node"],
    files: {
      "package.json": MANIFEST,
      "tsconfig.json": tsconfig({ module: "nodenext", target: "es2022" }),
      "src/server.ts": 'import fastify from "fastify";\n\nexport const server = fastify();\n',
    },
  },
  express: {
    make: EMPTY,
    install: ["express@5", "@types/express@5", "typescript@5.9", "@types/node", "vitest@4"],
    files: {
      "package.json": MANIFEST,
      "tsconfig.json": tsconfig({ module: "preserve", target: "es2022", esModuleInterop: true }),
      "src/server.ts": 'import express from "express";\n\nexport const server = express();\n',
    },
  },
  "empty folder": { make: EMPTY, install: ["typescript@5.9", "@types/node"] },
};

/**
 * Fresh apps of these frameworks, as their own generators make them, get the package and `handrail init`; then they compile, and
 * the test that it wrote passes.
 */
export async function freshApps(scene: Scene): Promise<void> {
  await scene.check("the package is packed", scene.shared.tarball);
  for (const [name, fresh] of Object.entries(APPS)) await tryApp(scene, name, fresh);
}

async function tryApp(scene: Scene, name: string, { make, install = [], files = {}, build }: Fresh): Promise<void> {
  const folder = await scene.aFolder(name.replace(" ", "-"));
  const cwd = path.join(folder, "app");
  const { url } = await scene.aDatabase();
  const run = (line: string) => sh(line, { cwd, env: { TEST_DATABASE_URL: url, CI: "1" } });
  await scene.check(`${name}: its generator makes an app, which gets the package`, async () => {
    await sh(make, { cwd: folder, env: { CI: "1" } });
    for (const [file, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(cwd, file)), { recursive: true });
      await writeFile(path.join(cwd, file), text);
    }
    await run(["npm install", await scene.shared.tarball(), "zod", ...install].join(" "));
    if (build) await run(build);
  });
  await scene.check(`${name}: handrail init`, () => run("npx handrail init --yes"));
  await scene.check(`${name}: compiles`, async () => {
    await run(`node ${TSC} --noEmit -p .`);
    if (build) await run(build);
  });
  await scene.check(`${name}: the test that it wrote passes`, async () => {
    const { scripts } = JSON.parse(await readFile(path.join(cwd, "package.json"), "utf8"));
    const said = await run(scripts["handrail:test"] ? "npm run handrail:test" : "npx vitest run");
    expect(said).toMatch(/^(# |ℹ )pass 1$|1 passed/m);
  });
  await scene.check(`${name}: a second handrail init changes nothing`, async () =>
    expect(await run("npx handrail init")).toContain("Everything is there already."),
  );
}
