import { z } from "zod";
import { MAX_NAMED_RUNS } from "./caps";
import { compensationResolution, plainText, rerunChoices, runEvent, runFilter, stepResolution } from "./requests";
import { json } from "./values";

const selection = z.union([
  z.strictObject({ runIds: z.array(z.uuid()).min(1).max(MAX_NAMED_RUNS) }),
  z.strictObject({ filter: runFilter }),
]);

const nothing = z.strictObject({}).default({});
const step = plainText.min(1).max(200).optional();

const planned = <Act extends string, Params extends z.ZodType>(act: Act, params: Params) =>
  z.strictObject({ act: z.literal(act), params, selection });

/** `params` are the action's own, as for a single run. Without a `step`, the eligible step of each run. */
export const planRequest = z
  .discriminatedUnion("act", [
    planned("rerun", z.strictObject(rerunChoices).default({})),
    planned("cancel", nothing),
    planned("pause", z.strictObject({ children: z.boolean().optional() }).default({})),
    planned("resume", nothing),
    planned("wake", z.strictObject({ step }).default({})),
    planned("settle", z.strictObject({ ...stepResolution, step })),
    planned("compensate", nothing),
    planned("mark_compensated", z.strictObject({ ...compensationResolution, step })),
    planned("send_event", z.strictObject({ name: runEvent.name, payload: runEvent.payload })),
    planned("move", z.strictObject({ version: rerunChoices.version.unwrap() })),
    /** `input`: for one run only. Without it, each run's original input. */
    planned("start_again", z.strictObject({ input: json.optional() }).default({})),
  ])
  .meta({ id: "PlanRequest" });

export type PlanRequest = z.infer<typeof planRequest>;
