import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import demo from "@/demo/app";
import { startSandbox } from "@/demo/sandbox/server";
import { batchFulfilment } from "@/demo/workflows/batch-fulfilment/batch-fulfilment";
import { orderFulfilment } from "@/demo/workflows/order-fulfilment/order-fulfilment";
import { parcelReturned, refundRequest } from "@/demo/workflows/refund-request/refund-request";
import { welcomeReminder } from "@/demo/workflows/welcome-reminder/welcome-reminder";
import { runSchema } from "@/lib/api/contract/run";
import { maskAnswer } from "@/lib/api/masking/mask-answer";
import { prepareEvent } from "@/lib/engine/events/prepare-event";
import { readRun } from "@/lib/operator/runs/reads";
import { sendEvent } from "@/lib/store/events/send-event";
import { answerApproval, cancel, compensate, rerun, settleStep } from "@/lib/testing/actions";
import { aDesk } from "@/lib/testing/desk";
import { theOutsideWorld } from "@/lib/testing/processes/outside-world";
import { anEngine } from "@/lib/testing/workers/engine";
import { winding } from "@/lib/testing/workflows/replayed-workflows";
import { asTest } from "./as-test";

const engine = anEngine();
const world = theOutsideWorld(startSandbox);
const repository = fileURLToPath(new URL("../../../..", import.meta.url));

const order = (orderId: string) => ({ orderId, amountCents: 4_900, email: `${orderId}@example.com`.toLowerCase() });
const desk = () => aDesk(engine.db, { actor: "mia" });
const reason = "a test";

/** As the console gets it: through the contract, and masked. */
async function copied(runId: string): Promise<string> {
  const answer = await maskAnswer(engine.db, runSchema, await readRun(engine.db, runId), { sees: true });
  const run = runSchema.parse(JSON.parse(JSON.stringify(answer)));
  return asTest(run, `http://localhost:3000/runs/${runId}`);
}

/** Runs files with vitest, as a developer who pasted them would; returns the result by file name. */
async function vitest(files: Record<string, string>): Promise<Record<string, string>> {
  await mkdir(join(repository, ".handrail"), { recursive: true });
  const folder = await mkdtemp(join(repository, ".handrail", "copied-"));
  const config = `export default { root: ${JSON.stringify(folder)}, test: { include: ["*.test.ts"], exclude: [] },
    resolve: { alias: { "@": ${JSON.stringify(repository.replace(/\/$/, ""))} } } };`;
  for (const [name, text] of Object.entries({ ...files, "vitest.config.mjs": config }))
    await writeFile(join(folder, name), text);
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITE|VITEST|TEST$)/.test(name)));
  const report = join(folder, "report.json");
  const result = await promisify(execFile)(
    process.execPath,
    [
      ...[join(repository, "node_modules/vitest/vitest.mjs"), "run", "--config", join(folder, "vitest.config.mjs")],
      ...["--reporter=json", `--outputFile=${report}`],
    ],
    { env: { ...env, NODE_ENV: "test" }, cwd: repository },
  ).catch((failed: { stdout: string; stderr: string }) => failed);
  const { testResults } = JSON.parse(
    await readFile(report, "utf8").catch(() => {
      throw new Error(`vitest did not run: ${result.stdout}${result.stderr}`);
    }),
  ) as {
    testResults: { name: string; status: string; message: string; assertionResults: { failureMessages: string[] }[] }[];
  };
  await rm(folder, { recursive: true });
  return Object.fromEntries(
    testResults.map(({ name, status, message, assertionResults }) => [
      name.slice(folder.length + 1),
      status === "passed"
        ? "green"
        : `red: ${message}${assertionResults.flatMap((one) => one.failureMessages).join("\n")}`,
    ]),
  );
}

const REGISTRY = `import demo from "@/demo/app";
import { winding } from "@/lib/testing/workflows/replayed-workflows";
export default { workflows: [...demo.workflows, winding] };`;

/** Sample runs in every status. */
async function runsInEveryState(): Promise<Record<string, string>> {
  await world.fault("mail", { mode: "lose-answer", times: 1 });
  await engine.worker([...demo.workflows, winding]);
  const settled = await engine.start(orderFulfilment, order("SETTLED"));
  await engine.untilResting(settled);
  await world.fault("mail", { mode: "none" });
  const by = { runId: settled, step: "send-confirmation", outcome: "happened" as const, reason };
  await settleStep(desk(), { ...by, output: { messageId: "seen in the mailbox" } });
  const asked = { accountId: "a", orderId: "o", parcelId: "p", amountCents: 12_000, reason: "too small" };
  const runs = {
    settled,
    completed: await engine.start(orderFulfilment, order("DONE")),
    failed: await engine.start(orderFulfilment, order("DECLINED-1")),
    undone: await engine.start(orderFulfilment, order("DECLINED-2")),
    rerun: await engine.start(orderFulfilment, order("DECLINED-3")),
    asleep: await engine.start(welcomeReminder, { email: "a@example.com", delaySeconds: 900 }),
    cancelled: await engine.start(welcomeReminder, { email: "b@example.com", delaySeconds: 900 }),
    slept: await engine.start(welcomeReminder, { email: "c@example.com", delaySeconds: 0.05 }),
    answered: await engine.start(refundRequest, asked),
    asking: await engine.start(refundRequest, asked),
    parent: await engine.start(batchFulfilment, { batchId: "b", orders: ["C-1", "C-2"].map(order) }),
    winding: await engine.start(winding, { card: "4242", at: new Date("2026-11-21T12:00:00Z") }),
  };
  await engine.untilResting(runs.answered);
  await answerApproval(desk(), { runId: runs.answered, step: "approve-refund", choice: "approve", note: "good" });
  await sendEvent(engine.db, await prepareEvent(parcelReturned, { parcelId: "p" }, { key: "p" }));
  for (const runId of Object.values(runs)) await engine.untilResting(runId);
  await compensate(desk(), { runId: runs.undone, reason });
  await rerun(desk(), { runId: runs.rerun, reason });
  await cancel(desk(), { runId: runs.cancelled, reason });
  for (const name of ["settled", "undone", "rerun", "cancelled", "parent", "answered"] as const)
    await engine.untilEnded(runs[name]);
  return runs;
}

it("what is copied of a run is green with the code that made it, and red when its steps are others", async () => {
  const runs = await runsInEveryState();
  const files: Record<string, string> = {};
  for (const [name, runId] of Object.entries(runs)) files[`${name}.test.ts`] = await copied(runId);
  expect(files["winding.test.ts"]).not.toContain("4242");
  expect(files["completed.test.ts"]).not.toContain("done@example.com");
  const source = await readFile(join(repository, "demo/workflows/order-fulfilment/order-fulfilment.ts"), "utf8");
  const renamed = source.replaceAll("../../../lib", "@/lib").replace('"reserve-stock"', '"hold-stock"');
  const onto = (registry: string, name: string) =>
    files[name]?.replace('"@/handrail.config"', `"./${registry}"`) as string;
  const came = await vitest({
    ...Object.fromEntries(Object.keys(files).map((name) => [name, onto("registry", name)])),
    "registry.ts": REGISTRY,
    "changed.ts": `${renamed}\nexport default { workflows: [orderFulfilment] };`,
    "changed-completed.test.ts": onto("changed", "completed.test.ts"),
    "changed-failed.test.ts": onto("changed", "failed.test.ts"),
  });
  expect(came).toEqual({
    ...Object.fromEntries(Object.keys(files).map((name) => [name, "green"])),
    "changed-completed.test.ts": expect.stringMatching(/^red: AssertionError/),
    // It failed before it reached the renamed step.
    "changed-failed.test.ts": "green",
  });
}, 120_000);
