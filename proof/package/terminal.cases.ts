import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { hasTerminal } from "../../lib/testing/cli/handrail";
import { OnTerminal } from "./adopt/stranger";
import { aDatabaseOfTheApp, type InstalledApp } from "./installed-app";

/** Commands of the installed package that ask, or stay, on a terminal. */
export function terminalCases(appOf: () => InstalledApp): void {
  describe.skipIf(!hasTerminal)("on a terminal (skipped without one)", () => {
    it("handrail init asks before it writes", ({ onTestFinished }) => asksFirst(appOf(), onTestFinished));
    it.for(["worker", "start"])("Ctrl-C ends handrail %s in order", (words, { onTestFinished }) =>
      endsInOrder(appOf(), words, onTestFinished),
    );
  });
}

async function asksFirst(app: InstalledApp, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const cwd = path.join(app.folder, "asked");
  await mkdir(cwd);
  const asked = async (answer: string, says: RegExp) => {
    const init = new OnTerminal(`${app.command} init`, { cwd });
    atEnd(() => init.killAll());
    await init.untilSaid(/TypeScript\? \(Y\/n\) /);
    init.type("\r");
    await init.untilSaid(/Write handrail\.config\.ts, .*\? \(Y\/n\) /);
    init.type(answer);
    await init.untilSaid(says);
  };
  await asked("n\r", /Nothing was written\./);
  expect(await readdir(cwd)).toEqual([]);
  await asked("\r", /npx handrail dev/);
  expect(await readdir(cwd)).toContain("handrail.config.ts");
}

async function endsInOrder(app: InstalledApp, words: string, atEnd: TestContext["onTestFinished"]): Promise<void> {
  const { env, url } = await aDatabaseOfTheApp(atEnd);
  await app.handrail("migrate", { env });
  const cwd = path.join(app.folder, "cjs");
  const begun = new OnTerminal(`${app.command} ${words}`, { cwd, env: { DATABASE_URL: url.href } });
  atEnd(() => begun.killAll());
  await begun.untilSaid(/"msg":"ready"/);
  await begun.interrupt();
}
