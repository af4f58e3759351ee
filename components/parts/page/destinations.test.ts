import { expect, it } from "vitest";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { DESTINATIONS } from "./destinations";

it("the count of the inbox is urgent once something is broken or blocked, not for questions and plans alone", () => {
  const [inbox] = DESTINATIONS;
  const overview = (byAttention: object) => ({ byAttention, planApprovals: 2 }) as unknown as OverviewResponse;
  const questions = overview({ approval: 3, failed: 0 });
  expect(inbox.waiting?.(questions)).toBe(5);
  expect(inbox.urgent?.(questions)).toBe(false);
  expect(inbox.urgent?.(overview({ approval: 3, failed: 1 }))).toBe(true);
});
