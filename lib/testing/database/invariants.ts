import type { Pool } from "pg";
import { expect } from "vitest";
import { examine } from "../../store/database/doctor";
import { ENGINE_RULES } from "../../store/database/doctor-rules";
import { poolDb } from "../../store/db";
import { whatWasSeen } from "./witness";

/**
 * Fails with every broken rule and the rows that break it. Rules about actions are left out: tests write such rows
 * directly.
 */
export async function expectInvariants(pool: Pool): Promise<void> {
  const broken: Record<string, unknown[]> = {};
  for (const { rule, hits, unanswered } of await examine(poolDb(pool), ENGINE_RULES))
    if (hits.length > 0 || unanswered) broken[rule.name] = unanswered ? [unanswered] : hits.slice(0, 5);
  const seen = await whatWasSeen(pool);
  if (seen.length > 0) broken["The witness saw nothing that is not allowed"] = seen;
  expect(broken).toEqual({});
}
