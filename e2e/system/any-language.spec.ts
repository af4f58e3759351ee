import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { handrail, untilRun } from "../support/api";
import { expectNoAxeViolations } from "../support/axe";
import { expect, test } from "../support/console-errors";
import { serverEnvironment } from "../support/server";

const { HANDRAIL_BOOTSTRAP_TOKEN: token } = await serverEnvironment();

const hasPython = spawnSync("python3", ["--version"]).status === 0;
test.skip(!hasPython, "there is no python3 on this machine");

let python: ChildProcess | undefined;
test.afterEach(() => python?.kill("SIGTERM"));

test("a worker in Python is seen as live, its workflow is started here, and its run is read like any other", async ({
  page,
  baseURL,
}, info) => {
  mkdirSync(info.outputDir, { recursive: true });
  python = spawn("python3", ["examples/python/invoice.py"], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      PYTHONPATH: "clients/python/src",
      HANDRAIL_URL: baseURL,
      HANDRAIL_TOKEN: token,
      PYTHONDONTWRITEBYTECODE: "1",
      JOURNAL: join(info.outputDir, "journal.jsonl"),
    },
  });

  await page.goto("/workers");
  const worker = page.getByRole("listitem").filter({ hasText: /Python 3[.\d]+, over HTTP/ });
  await expect(worker).toContainText("Live");
  await expect(worker).toContainText("invoice");
  await expectNoAxeViolations(page);

  await page.goto("/workflows");
  const workflow = page.getByRole("listitem").filter({ hasText: "Invoice, in Python" });
  await expect(workflow).toContainText(/steps in Python 3[.\d]+, over HTTP/);
  await expect(workflow).toContainText("1 worker");

  const run = await handrail.start({ workflow: "invoice", input: { invoiceId: "I-7", amountCents: 1_000 } });
  await page.goto(`/runs/${run.id}`);
  await expect(page.getByText("wait-for-payment").first()).toBeVisible();
  await untilRun(run.id, "completed");
  await expect(page.getByText("archive").first()).toBeVisible();

  python.kill("SIGTERM");
  await page.goto("/workers");
  await expect(worker).toContainText("Stopped");
});
