import { type Command, Option } from "commander";
import type { Step } from "../../../lib/api/contract/run";
import { carryOut } from "../../plans/carry-out";
import { type ActOptions, withActOptions } from "../../plans/choice";
import { withSession } from "../../session/act";
import { jsonValue } from "../../session/given";
import type { Session } from "../../session/session";
import { UsageError } from "../../session/stops";

const OUTCOMES = ["happened", "did_not_happen", "ask", "skip"] as const;

interface ResolveOptions extends ActOptions {
  outcome: (typeof OUTCOMES)[number];
  step?: string;
  output?: string;
  reference?: string;
}

export function addResolveStep(runs: Command): void {
  withActOptions(
    runs.command("resolve").description("record the outcome of a step that is unknown, or skip a failed one"),
  )
    .addOption(
      new Option("--outcome <outcome>", "ask: the step's code asks the provider")
        .choices(OUTCOMES)
        .makeOptionMandatory(),
    )
    .option("--step <step>", "which; default: the only one of unknown outcome")
    .option("--output <json>", "with happened: what it returned, as JSON, @FILE, or - for stdin")
    .option("--reference <id>", "the provider's id of what happened")
    .action(
      withSession(async (session, runIds: string[], given: ResolveOptions) => {
        const { outcome, step, output: written, reference, ...options } = given;
        const output = written === undefined ? undefined : ((await jsonValue(written, "--output")) as never);
        return carryOut(
          session,
          {
            act: "settle",
            params: { outcome, step, output, reference },
            send: async ({ runId }, { request: { step: _, ...request }, idempotencyKey }) => {
              const params = { runId, step: step ?? (await onlyUnknown(session, runId)) };
              return session.client.post("/v1/runs/{runId}/steps/{step}/resolution", params, {
                request,
                idempotencyKey,
              });
            },
          },
          runIds,
          options,
        );
      }),
    );
}

const named = (steps: readonly Step[]) => [...new Set(steps.map(({ name }) => name))];

/** @throws UsageError where it has to be chosen */
async function onlyUnknown({ client }: Session, runId: string): Promise<string> {
  const { steps } = await client.read("/v1/runs/{runId}", { runId });
  const current = steps.filter(({ supersededBy }) => supersededBy === null);
  const unknown = named(current.filter(({ status }) => status === "unknown"));
  const candidates = unknown.length > 0 ? unknown : named(current.filter(({ status }) => status === "failed"));
  const [only, ...more] = candidates;
  if (only === undefined) throw new UsageError("No step of this run has an unknown outcome or has failed.");
  if (more.length > 0) throw new UsageError(`Choose with --step: ${candidates.join(", ")}.`);
  return only;
}
