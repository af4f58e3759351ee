import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { at } from "@/components/testing/a-run";
import type { OperationAndRuns } from "@/lib/api/contract/operations";
import { OperationProof } from "./operation-proof";

let asked: string[];
let lostAtEnd: number;
beforeEach(() => {
  asked = [];
  lostAtEnd = 0;
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return Response.json({ runs: 1, lostAtEnd, steps: [], nextCursor: null });
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (done: number, runs: Partial<OperationAndRuns["runs"]>) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <OperationProof
        operation={{
          ...{ id: "o", planId: "p", runId: "r", act: "rerun", params: {}, status: "completed", startedBy: "ada" },
          ...{ pausedBecause: null, workflows: ["order"], reason: "the gateway is back", ratePerSecond: 20, canary: 5 },
          ...{ canaryPassedAt: at(9), createdAt: at(0), finishedAt: at(60) },
          counts: { total: done, done, already: 0, notEligible: 0, changed: 0, failed: 0 },
          runs: { of: done, completed: done, needPerson: 0, underWay: 0, others: 0, ...runs },
        }}
      />
    </QueryClientProvider>,
  );

it("is judged at once when every run is at rest", async () => {
  show(412, {});
  expect(await screen.findByText("No effect reached a provider.")).toBeDefined();
  expect(screen.queryByText(/is final when/)).toBeNull();
});

it("does not say that nothing reached a provider where a lost worker may have begun something", async () => {
  lostAtEnd = 1;
  show(412, {});
  expect(await screen.findByText(/^Some effects may have happened; .* In 1 run a worker was lost/)).toBeDefined();
  expect(screen.queryByText("No effect reached a provider.")).toBeNull();
});

it("is not called final while runs are under way", () => {
  show(412, { completed: 411, underWay: 1 });
  expect(screen.getByText(/^The proof is final when every run is at rest/)).toBeDefined();
  expect(asked).toEqual([]);
});

it("is not called final of more runs than those whose status is known", () => {
  show(12_000, { of: 10_000, completed: 10_000 });
  expect(screen.getByText(/^Only the latest 10,000 runs are known to be at rest\. The proof is final/)).toBeDefined();
  expect(screen.getByRole("button", { name: "Judge now" })).toBeDefined();
  expect(asked).toEqual([]);
});
