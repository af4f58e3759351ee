import { expect, type Page } from "@playwright/test";
import { ask, handrail, untilRun } from "./api";
import { imagesInTrouble, type TroubledImages } from "./images";
import { freshId } from "./orders";
import { markCompensated } from "./screen";

/** Runs in every state that pages show. */
export interface Scene {
  images: TroubledImages;
  reran: string;
  family: { root: string; order: string };
  refund: string;
  question: string;
  operation: string;
}

export async function aScene(): Promise<Scene> {
  const images = await imagesInTrouble();
  const credit = { workflow: "account-credit", input: { accountId: freshId("acc"), amountCents: 100 } };
  const reran = (await handrail.start(credit)).id;
  await untilRun(reran, "completed");
  await handrail.rerun(reran, { fromStep: "credit-account", reason: "Credited to the wrong account" });
  await untilRun(reran, "completed");
  return {
    images,
    reran,
    family: await aFamily(),
    refund: await aRefund(900),
    question: await aRefund(12_000),
    operation: await anOperation(),
  };
}

/** On separate runs. */
async function anOperation(): Promise<string> {
  const runIds = [await aRefund(700), await aRefund(800)];
  const request = { act: "pause", params: {}, selection: { runIds } };
  const { body: plan } = await ask<{ id: string; hash: string }>("POST", "/plans", request);
  const execution = { hash: plan.hash, reason: "The parcels are late", canary: 1, ratePerSecond: 100 };
  return (await ask<{ id: string }>("POST", `/plans/${plan.id}/executions`, execution)).body.id;
}

/** Of the demo's own data, so that the gateway is left alone: see demo/seed.ts. */
export async function aFamily() {
  const [root] = (await handrail.runs({ q: "demo:autumn" })).runs;
  const order = root && (await handrail.run(root.id)).rootCause?.runId;
  if (!order) throw new Error("The demo has no campaign with an order that failed.");
  return { root: root.id, order };
}

/** Waits for its parcel, or first for an answer; something else has come twice. */
async function aRefund(amountCents: number) {
  const orderId = freshId("R");
  const input = { accountId: orderId, orderId, parcelId: `P-${orderId}`, amountCents, reason: "Too small." };
  const { id } = await handrail.start({ workflow: "refund-request", input });
  await untilRun(id, "waiting");
  for (let time = 1; time <= 2; time++)
    await ask("POST", `/runs/${id}/events`, { name: "parcel.seen", payload: { at: "Leipzig" }, id: "scan-1" });
  return id;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name }).first();

/** Each page, and what is there once it is. */
export const PAGES: Record<string, (page: Page, scene: Scene) => Promise<void>> = {
  overview: async (page) => {
    await page.goto("/");
    await expect(heading(page, "Needs attention")).toBeVisible();
  },
  runs: async (page, scene) => {
    await page.goto(`/runs?workflow=profile-image&run=${scene.images.failed.id}`);
    await expect(heading(page, /Store image failed 4 times/)).toBeVisible();
  },
  "runs, and none of them fits": async (page) => {
    await page.goto(`/runs?q=${freshId("nobody")}`);
    await expect(page.getByText("No runs match these filters")).toBeVisible();
  },
  problems: async (page) => {
    await page.goto("/problems");
    await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  },
  "a problem": async (page) => {
    await page.goto("/problems");
    await page.getByRole("main").getByRole("listitem").getByRole("link").first().click();
    await page.getByRole("link", { name: "Open", exact: true }).click();
    await expect(heading(page, "History")).toBeVisible();
  },
  "a run that failed": async (page, scene) => {
    await page.goto(`/runs/${scene.images.failed.id}`);
    await expect(heading(page, /Store image failed 4 times/)).toBeVisible();
  },
  "a run with an unknown outcome": async (page, scene) => {
    await page.goto(`/runs/${scene.images.unknown.id}?step=store-image`);
    await expect(page.getByRole("button", { name: "It did not happen…" })).toBeVisible();
  },
  "a run that is being compensated": async (page, scene) => {
    await page.goto(`/runs/${scene.images.compensationFailed.id}`);
    await expect(markCompensated(page)).toBeVisible();
  },
  "a run that was rerun": async (page, scene) => {
    // Named, for on a phone a run opens with the list of its steps.
    await page.goto(`/runs/${scene.reran}?view=timeline`);
    await expect(page.getByText("rerun by operator")).toBeVisible();
  },
  "the audit of a run": async (page, scene) => {
    await page.goto(`/runs/${scene.reran}?tab=audit`);
    await expect(page.getByText("Credited to the wrong account")).toBeVisible();
  },
  "a run as JSON": async (page, scene) => {
    await page.goto(`/runs/${scene.reran}?tab=raw`);
    await expect(page.getByRole("tabpanel", { name: "Raw" })).toContainText(scene.reran);
  },
  "the graph of a run": async (page, scene) => {
    await page.goto(`/runs/${scene.images.failed.id}?tab=graph&graph=drawn`);
    await expect(page.getByRole("button", { name: /^Failed store-image/ })).toBeVisible();
  },
  "the graph of a run in words": async (page, scene) => {
    await page.goto(`/runs/${scene.images.failed.id}?tab=graph&graph=list`);
    await expect(page.getByRole("list", { name: /^Steps, and what/ })).toBeVisible();
  },
  "two runs compared": async (page, scene) => {
    await page.goto(`/runs/${scene.images.failed.id}/compare?with=${scene.images.compensationFailed.id}`);
    await expect(page.getByRole("table", { name: "Where the inputs differ" })).toBeVisible();
  },
  "the children of a run": async (page, scene) => {
    await page.goto(`/runs/${scene.family.root}?tab=children`);
    await expect(page.getByText("The root cause", { exact: true })).toBeVisible();
  },
  "a run deep in a tree": async (page, scene) => {
    await page.goto(`/runs/${scene.family.order}`);
    await expect(page.getByRole("navigation", { name: "From the root of its tree" })).toBeVisible();
  },
  "the events of a run": async (page, scene) => {
    await page.goto(`/runs/${scene.refund}?tab=events`);
    await expect(page.getByText("1 time with this id and refused")).toBeVisible();
  },
  "a run without events": async (page, scene) => {
    await page.goto(`/runs/${scene.reran}?tab=events`);
    await expect(page.getByText("This run has no events")).toBeVisible();
  },
  "the effects of a run": async (page, scene) => {
    await page.goto(`/runs/${scene.reran}?tab=effects`);
    await expect(page.getByText("Something may have happened twice.")).toBeVisible();
  },
  "the effects of many runs": async (page) => {
    await page.goto("/effects");
    await expect(page.getByRole("table", { name: "Effects" })).toBeVisible();
  },
  "the logs of all runs": async (page) => {
    await page.goto("/logs?level=info");
    await expect(page.getByRole("heading", { name: "Logs" })).toBeVisible();
    await expect(page.getByRole("list", { name: "Log lines" }).or(page.getByText("No matching lines"))).toBeVisible();
  },
  "no log lines that match": async (page) => {
    await page.goto("/logs?q=nothing-says-this");
    await expect(page.getByText("No matching lines")).toBeVisible();
  },
  "the audit": async (page) => {
    await page.goto("/audit");
    await expect(page.getByRole("list", { name: "Actions" })).toBeVisible();
    await expect(page.getByText(/rows are intact/)).toBeVisible();
  },
  "the log of a run": async (page, scene) => {
    await page.goto(`/runs/${scene.reran}?tab=logs`);
    await expect(page.getByText("No log lines")).toBeVisible();
  },
  approvals: async (page) => {
    await page.goto("/approvals");
    await expect(heading(page, "Waiting for an answer")).toBeVisible();
  },
  compensations: async (page) => {
    await page.goto("/compensations");
    await expect(page.getByRole("button", { name: "Retry…" }).first()).toBeVisible();
  },
  operations: async (page) => {
    await page.goto("/operations");
    await expect(page.getByText("The parcels are late").first()).toBeVisible();
  },
  "an operation": async (page, scene) => {
    await page.goto(`/operations/${scene.operation}`);
    await expect(page.getByRole("list", { name: "Results by run" }).getByText("Paused")).toHaveCount(2);
  },
  workflows: async (page) => {
    await page.goto("/workflows");
    await expect(heading(page, "Workflows")).toBeVisible();
  },
  "a workflow": async (page) => {
    await page.goto("/workflows/order-fulfilment");
    await expect(
      page.getByRole("region", { name: "Steps" }).getByRole("row", { name: /^charge-payment/ }),
    ).toBeVisible();
  },
  settings: async (page) => {
    await page.goto("/settings");
    await expect(heading(page, "Settings")).toBeVisible();
  },
  database: async (page) => {
    await page.goto("/database");
    await expect(heading(page, "Database")).toBeVisible();
    await expect(page.getByText("Oldest transaction")).toBeVisible();
  },
  retention: async (page) => {
    await page.goto("/retention");
    await expect(heading(page, "Deleted after")).toBeVisible();
  },
  alerts: async (page) => {
    await page.goto("/alerts");
    await expect(page.getByRole("button", { name: "Open no-worker" })).toBeVisible();
  },
  notifications: async (page) => {
    await page.goto("/notifications");
    await expect(heading(page, "Notifications")).toBeVisible();
  },
  schedules: async (page) => {
    await page.goto("/schedules");
    await expect(page.getByRole("link", { name: "Nightly user sync" })).toBeVisible();
  },
  "a schedule": async (page) => {
    await page.goto("/schedules/nightly-user-sync");
    await expect(heading(page, "Recent runs")).toBeVisible();
  },
  workers: async (page) => {
    await page.goto("/workers");
    await expect(heading(page, "Active")).toBeVisible();
  },
  sandbox: async (page) => {
    await page.goto("/sandbox");
    await expect(page.getByText(/charged twice/).first()).toBeVisible();
    await expect(heading(page, "Blob store")).toBeVisible();
  },
};
