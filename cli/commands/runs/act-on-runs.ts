import { type Command, Option } from "commander";
import { actOnRuns } from "../../plans/act-on-runs";
import { carryOut } from "../../plans/carry-out";
import { type ActOptions, selectionOf, withActOptions } from "../../plans/choice";
import { withSession } from "../../session/act";
import { namedValue, wholeNumber } from "../../session/given";
import { UsageError } from "../../session/stops";

/** The actions without parameters. */
const PLAIN = {
  cancel: { path: "/v1/runs/{runId}/cancellation", description: "end runs without finishing their work" },
  resume: { path: "/v1/runs/{runId}/resumption", description: "let paused runs continue" },
  compensate: {
    path: "/v1/runs/{runId}/compensations",
    description: "compensate the completed steps, last first; or retry the compensations that failed",
  },
} as const;

export function addRunActions(runs: Command): void {
  addRerun(runs);
  // Always by a plan: what cannot be restored is shown first.
  withActOptions(runs.command("delete").description("delete runs that have ended, with their child runs")).action(
    withSession((session, runIds: string[], options: ActOptions) =>
      actOnRuns(session, { act: "delete", params: {}, selection: selectionOf(runIds, options.filter) }, options),
    ),
  );
  for (const [act, { path, description }] of Object.entries(PLAIN) as [keyof typeof PLAIN, (typeof PLAIN)["cancel"]][])
    withActOptions(runs.command(act).description(description)).action(
      withSession((session, runIds: string[], options: ActOptions) =>
        carryOut(
          session,
          { act, params: {}, send: (run, sending) => session.client.post(path, run, sending) },
          runIds,
          options,
        ),
      ),
    );
  withActOptions(runs.command("pause").description("hold runs after the step in flight"))
    .option("--children", "their child runs, too")
    .action(
      withSession((session, runIds: string[], { children, ...options }: ActOptions & { children?: true }) => {
        return carryOut(
          session,
          {
            act: "pause",
            params: { children },
            send: (run, sending) => session.client.post("/v1/runs/{runId}/pause", run, sending),
          },
          runIds,
          options,
        );
      }),
    );
}

/** At the top, beside the runs: it is about a person, whose runs a tag finds. */
export function addErase(program: Command): void {
  withActOptions(program.command("erase").description("erase a person's data in the runs that a tag finds"))
    .addOption(new Option("--tag <name=value>", "such as email=ada@example.com").argParser(namedValue))
    .action(
      withSession((session, runIds: string[], { tag, ...options }: ActOptions & { tag?: Record<string, string> }) => {
        if (tag && (runIds.length > 0 || options.filter !== undefined))
          throw new UsageError("Give --tag, --filter or the runs: one of them.");
        const selection = tag ? { filter: { tags: tag } } : selectionOf(runIds, options.filter);
        return actOnRuns(session, { act: "erase", params: {}, selection }, options);
      }),
    );
}

interface RerunOptions extends ActOptions {
  from?: string;
  branch?: true;
  freshKeys?: true;
  onVersion?: number;
}

function addRerun(runs: Command): void {
  withActOptions(runs.command("rerun").description("run again from the failed step, with every earlier result kept"))
    .option("--from <step>", "from this step on")
    .option("--branch", "with --from: keep what ran beside that step")
    .option("--fresh-keys", "with new idempotency keys: providers take the calls for new ones")
    .addOption(
      new Option("--on-version <number>", "with this version of the code").argParser(wholeNumber(1, 2 ** 31 - 1)),
    )
    .action(
      withSession(
        (session, runIds: string[], { from, branch, freshKeys, onVersion: version, ...options }: RerunOptions) => {
          const params = { fromStep: from, scope: branch && ("branch" as const), freshKeys, version };
          return carryOut(
            session,
            {
              act: "rerun",
              params,
              send: (run, sending) => session.client.post("/v1/runs/{runId}/reruns", run, sending),
            },
            runIds,
            options,
          );
        },
      ),
    );
}
