/** What children of a rolling deploy run: some versions of two workflows, one of them with a limit. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { defineWorkflow, type Workflow } from "../../../lib/engine/workflows/workflow";
import { seen } from "../body-ledger";

const NAP_MS = 30;
const BODY_MS = 15;

/** Steps are named after the version, so that the ledger knows whose code ran. */
const of = (name: string, version: number, limit?: number): Workflow =>
  defineWorkflow(
    { name, version, input: z.object({ word: z.string() }), ...(limit !== undefined && { concurrency: { limit } }) },
    async (ctx, { word }) => {
      const step = (name: string) =>
        ctx.step(`${name}-${version}`, () =>
          seen({ runId: ctx.run.id, step: `${name}-${version}`, lane: word }, () => delay(BODY_MS)),
        );
      await step("open");
      await ctx.sleep(`nap-${version}`, NAP_MS);
      await step("close");
      return version;
    },
  );

export const deployed = (version: number): Workflow[] => [of("deployed", version), of("deployed-limited", version, 8)];

/** Comma-separated, in a child's environment. */
export const VERSIONS = "HANDRAIL_FAULT_VERSIONS";

export const workflows = (process.env[VERSIONS] ?? "1,2").split(",").flatMap((version) => deployed(Number(version)));
