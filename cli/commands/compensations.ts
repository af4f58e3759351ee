import { type Command, Option } from "commander";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { OwedCompensation } from "../../lib/api/contract/responses";
import { COMPENSATION_LANES, type CompensationLane } from "../../lib/engine/compensations/compensation-board";
import { plain } from "../output/plain";
import { afterAction, titleText } from "../output/run";
import type { Screen } from "../output/screen";
import { ago } from "../output/times";
import { withSession } from "../session/act";
import { reasonFor } from "../session/reason";
import { UsageError } from "../session/stops";
import { noteMore, type Page, withPage } from "./page";

interface ListOptions extends Page {
  lane?: CompensationLane;
  workflow?: string[];
  assignee?: string;
  unassigned?: true;
}

export function addCompensations(program: Command): void {
  const compensations = program.command("compensations").description("what is to be reversed, and who does it");
  withPage(compensations.command("list").description("compensations without an outcome, longest pending first"))
    .addOption(new Option("--lane <lane>", "settled: those with an outcome").choices(COMPENSATION_LANES))
    .option("--workflow <workflow...>", "of these alone")
    .option("--assignee <name>", "assigned to this person")
    .option("--unassigned", "assigned to nobody")
    .action(
      withSession(async ({ client, screen }, { unassigned, ...options }: ListOptions) => {
        const list = await client.read("/v1/compensations", { ...options, free: unassigned && "true" });
        screen.answer(list, ({ compensations: rows }) => compensationTable(screen, rows));
        noteMore(screen, list.nextCursor);
      }),
    );
  addResolve(compensations);
  addAssign(compensations);
}

interface ResolveOptions {
  outcome: "compensated" | "waived";
  note?: string;
  reference?: string;
  evidence?: string;
}

function addResolve(compensations: Command): void {
  compensations
    .command("resolve <run> <step>")
    .description("record that a person compensated the step, or that no compensation is due")
    .addOption(
      new Option("--outcome <outcome>", "what is recorded").choices(["compensated", "waived"]).makeOptionMandatory(),
    )
    .option("--note <text>", "what was done, or why nothing is due; asked for on a terminal")
    .option("--reference <id>", "the provider's id, such as of the refund")
    .option("--evidence <link>", "where it can be seen, such as a ticket")
    .action(
      withSession(async (session, runId: string, step: string, options: ResolveOptions) => {
        const note = await reasonFor(session, options.note, "note");
        const run = await session.client.post(
          "/v1/runs/{runId}/compensations/{step}/resolution",
          { runId, step },
          { request: { ...options, note }, idempotencyKey: newIdempotencyKey() },
        );
        const did = options.outcome === "waived" ? "Waived a compensation of" : "Recorded a compensation of";
        session.screen.answer(run, (after) => afterAction(session.screen, did, after));
      }),
    );
}

function addAssign(compensations: Command): void {
  compensations
    .command("assign <run> <step> [person]")
    .description("say who does it")
    .option("--nobody", "release it")
    .option("--reason <text>", "saved to the audit log")
    .action(
      withSession(
        async ({ client, screen }, runId: string, step: string, person: string | undefined, options: AssignOptions) => {
          if ((person === undefined) !== (options.nobody === true))
            throw new UsageError("Name a person, or release it with --nobody.");
          const before = await client.read("/v1/runs/{runId}", { runId });
          const current = before.steps.find(({ name, supersededBy }) => name === step && supersededBy === null);
          const insteadOf = current?.compensation?.assignee ?? null;
          const run = await client.post(
            "/v1/runs/{runId}/compensations/{step}/assignment",
            { runId, step },
            {
              request: { assignee: person ?? null, insteadOf, reason: options.reason },
              idempotencyKey: newIdempotencyKey(),
            },
          );
          screen.answer(run, (after) => afterAction(screen, "Assigned a compensation of", after));
        },
      ),
    );
}

interface AssignOptions {
  nobody?: true;
  reason?: string;
}

function compensationTable(screen: Screen, rows: readonly OwedCompensation[]): string {
  if (rows.length === 0) return "No compensations.";
  return screen.table(
    ["run", "title", "workflow", "step", "lane", "owed", "assignee", "reference", "what to do"],
    rows.map((row) => [
      row.runId,
      titleText(row),
      plain(row.workflow),
      plain(row.step),
      row.lane,
      ago(row.compensation.owedAt),
      plain(row.compensation.assignee ?? ""),
      plain(row.stepReference ?? ""),
      plain(row.behind === null ? (row.compensation.instructions ?? "") : `after ${row.behind}`),
    ]),
  );
}
