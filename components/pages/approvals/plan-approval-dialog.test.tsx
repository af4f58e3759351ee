import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterAll, expect, it, vi } from "vitest";
import { at } from "@/components/testing/a-run";
import type { Plan } from "@/lib/api/contract/plans";
import { storedPlanQuery } from "@/lib/api/hooks/queries";
import { keyOf } from "@/lib/api/hooks/query";
import { ACTIONS } from "@/lib/engine/access/permission";
import { PlanApprovalDialog } from "./plan-approval-dialog";

// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("next/navigation");
  vi.resetModules();
});
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: () => undefined }) }));

const APPROVAL: NonNullable<Plan["approval"]> = {
  ...{ status: "open", proposer: "ada", reason: "the gateway is back", requestedAt: at(0), expiresAt: at(3_600) },
  ...{ approver: null, note: null, answeredAt: null },
};
const PLAN: Plan = {
  ...{ id: "p", act: "rerun", params: {}, selection: {}, workflows: ["order"], hash: "a".repeat(64), madeBy: "ada" },
  ...{ createdAt: at(0), expiresAt: at(3_600), executedAt: null, items: [], nextCursor: null },
  counts: {
    ...{
      runs: 412,
      included: 412,
      leftOut: [],
      again: [],
      goOn: 0,
      owed: 0,
      uncompensated: 0,
      questions: 0,
      split: null,
    },
    ...{ effects: { stay: 0, repeat: 0, unprotected: 0 }, secondPerson: { runs: 412, workflows: ["order"] } },
  },
  approval: APPROVAL,
};

function open(plan: Plan) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const set = (next: Plan) => queryClient.setQueryData(storedPlanQuery("p").queryKey, next);
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "cem", actions: [...ACTIONS], workflows: null });
  set(plan);
  render(
    <QueryClientProvider client={queryClient}>
      <PlanApprovalDialog planId="p" own={false} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  return { change: (next: Plan) => act(async () => void set(next)) };
}

const isDisabled = async (name: string) =>
  (await screen.findByRole<HTMLButtonElement>("button", { name }, { timeout: 10_000 })).disabled;

it("stays the question that it was opened as when somebody else answers it: nothing is carried out by a click that was meant for an answer", async () => {
  const { change } = open(PLAN);
  const reject = await screen.findByRole("radio", { name: /^Reject/ }, { timeout: 10_000 });
  await act(async () => reject.click());
  expect(await isDisabled("Reject")).toBe(false);
  await change({ ...PLAN, approval: { ...APPROVAL, status: "approved", approver: "bob", note: "go" } });
  expect(screen.queryByRole("button", { name: "Rerun 412 runs" })).toBeNull();
  expect(await isDisabled("Reject")).toBe(true);
  expect(screen.getByText("bob approved it: go")).toBeDefined();
});

it("opened once it is approved carries it out, unless somebody has meanwhile", async () => {
  const approved: Plan = { ...PLAN, approval: { ...APPROVAL, status: "approved", approver: "bob", note: "go" } };
  const { change } = open(approved);
  expect(await isDisabled("Rerun 412 runs")).toBe(false);
  await change({ ...approved, approval: { ...APPROVAL, status: "used", approver: "bob", note: "go" } });
  expect(await isDisabled("Rerun 412 runs")).toBe(true);
  expect(screen.getByText("This plan was run.")).toBeDefined();
});
