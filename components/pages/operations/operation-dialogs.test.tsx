import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { Toaster } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { at } from "@/components/testing/a-run";
import type { Operation } from "@/lib/api/contract/operations";
import { OperationDialog } from "./operation-dialogs";

/** What shows windows and toasts is loaded when it is first needed. */
const PATIENCE = { timeout: 10_000 };

const OPERATION: Operation = {
  ...{ id: "o", planId: "p", runId: "r", act: "snooze", params: { until: "now" }, status: "running", startedBy: "ada" },
  ...{ pausedBecause: null, workflows: ["order"], reason: "it is repaired", ratePerSecond: 20, canary: 5 },
  ...{ canaryPassedAt: null, createdAt: at(0), finishedAt: null },
  counts: { total: 412, done: 5, already: 0, notEligible: 0, changed: 0, failed: 0 },
};

let sent: { path: string; body: unknown }[];
beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", async (path: string, { method, body }: RequestInit) => {
    if (method !== "POST") return new Promise(() => undefined);
    sent.push({ path, body: JSON.parse(String(body)) });
    return Response.json(OPERATION);
  });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  const { toast } = await import("sonner");
  toast.dismiss();
});

function Closing() {
  const [open, setOpen] = useState(true);
  return open && <OperationDialog act="pause" operation={OPERATION} onClose={() => setOpen(false)} />;
}

it("Undo of a pause lets the operation go on without confirming its results; the toast names what was chosen", async () => {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Closing />
      <Toaster />
    </QueryClientProvider>,
  );
  await userEvent.type(await screen.findByLabelText(/^Reason/, {}, PATIENCE), "by mistake");
  await userEvent.click(screen.getByRole("button", { name: "Pause the operation" }));
  await userEvent.click(await screen.findByRole("button", { name: "Undo" }, PATIENCE));
  expect(await screen.findByText("The operation is resumed", {}, PATIENCE)).toBeDefined();
  expect(screen.getAllByRole("link", { name: "End the snooze of 412 runs" }).length).toBeGreaterThan(0);
  expect(sent).toEqual([
    { path: "/api/v1/operations/o/pause", body: { reason: "by mistake" } },
    { path: "/api/v1/operations/o/resumption", body: { reason: "Reverted with Undo.", undo: true } },
  ]);
});
