import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { pack } from "../../scripts/pack/pack";
import { startEmbeddedPostgres } from "../../scripts/postgres/embedded";

/*
 * `npx tsx proof/package/fresh-apps.ts [next|nest|fastify|express …]`: fresh apps of these frameworks, as their own generators
 * make them, get the package and `handrail init`; then they compile, and the test that it wrote passes. It needs a registry.
 */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc");

interface Fresh {
  /** In an empty folder, makes the app in its folder `app`. */
  make: string[];
  /** Packages that the generator leaves out. */
  install?: string[];
  files?: Record<string, string>;
  /** How the app itself is compiled. Default: TypeScript, without output. */
  build?: string;
}

const EMPTY = ["mkdir app"];
/** As `npm init -y` writes it. */
const MANIFEST = '{\n  "name": "app",\n  "version": "1.0.0",\n  "type": "commonjs"\n}\n';
const tsconfig = (more: object) =>
  JSON.stringify({
    compilerOptions: { strict: true, skipLibCheck: true, outDir: "dist", rootDir: "src", ...more },
    include: ["src"],
  });

const APPS: Record<string, Fresh> = {
  next: {
    make: [
      "npx --yes create-next-app@latest app --ts --app --eslint --no-tailwind --no-src-dir --import-alias @/* --use-npm --skip-install --disable-git --yes",
    ],
    // The generator's own loads fonts from elsewhere.
    files: {
      "app/layout.tsx":
        'export default function Layout({ children }: { children: React.ReactNode }) {\n  return (\n    <html lang="en">\n      <body>{children}</body>\n    </html>\n  );\n}\n',
    },
    build: "npx next build",
  },
  nest: {
    make: ["npx --yes @nestjs/cli@latest new app --package-manager npm --skip-git --skip-install"],
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
};

async function tryApp(
  name: string,
  { make, install = [], files = {}, build }: Fresh,
  tarball: string,
  databaseUrl: string,
) {
  const scratch = await mkdtemp(path.join(tmpdir(), `handrail-${name}-`));
  const app = path.join(scratch, "app");
  const run = async (command: string, cwd = app) => {
    const [program = "", ...args] = command.split(" ");
    const env = { ...process.env, TEST_DATABASE_URL: databaseUrl, CI: "1", NEXT_TELEMETRY_DISABLED: "1" };
    return promisify(execFile)(program, args, { cwd, env }).catch(({ stdout, stderr }) => {
      throw new Error(`${name}: \`${command}\` failed.\n${stdout}\n${stderr}`);
    });
  };
  for (const command of make) await run(command, scratch);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(app, file)), { recursive: true });
    await writeFile(path.join(app, file), text);
  }
  await run(["npm install --no-audit --no-fund", tarball, "zod", ...install].join(" "));
  if (build) await run(build);
  console.log((await run("npx handrail init --yes")).stdout);
  await run(`${process.execPath} ${TSC} --noEmit -p .`);
  if (build) await run(build);
  const { scripts } = JSON.parse(await readFile(path.join(app, "package.json"), "utf8"));
  const { stdout } = await run(scripts["handrail:test"] ? "npm run handrail:test" : "npx vitest run");
  if (!/^(# |ℹ )pass 1$|1 passed/m.test(stdout)) throw new Error(`${name}: its test did not pass.\n${stdout}`);
  if (!(await run("npx handrail init")).stdout.includes("Everything is there already."))
    throw new Error(`${name}: handrail init changes something the second time.`);
  console.log(`${name}: compiles, and its test passes.\n`);
  await rm(scratch, { recursive: true });
}

const wanted = process.argv.slice(2);
const scratch = await mkdtemp(path.join(ROOT, ".handrail/fresh-"));
const postgres = await startEmbeddedPostgres({ dir: path.join(scratch, "postgres") });
let failed = false;
try {
  const { tarball } = await pack(scratch);
  for (const [name, fresh] of Object.entries(APPS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const url = new URL(postgres.url());
    url.pathname = `/test_${name}`;
    await tryApp(name, fresh, tarball, url.href).catch((error: Error) => {
      failed = true;
      console.error(error.message);
    });
  }
} finally {
  await postgres.stop();
  await rm(scratch, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
