import type { Command } from "commander";
import { WORDS } from "../../lib/actions/words";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { Operation, OperationAndRuns } from "../../lib/api/contract/operations";
import { formatCount } from "../../lib/format";
import { factsText } from "../output/facts";
import { paintStatus } from "../output/paint";
import { plain } from "../output/plain";
import { valueText } from "../output/run";
import type { Screen } from "../output/screen";
import { ago, agoAt } from "../output/times";
import { finishedText } from "../plans/watch-operation";
import { withSession } from "../session/act";
import { reasonFor } from "../session/reason";
import { noteMore, type Page, withPage } from "./page";

const ACTIONS = {
  pause: { path: "/v1/operations/{operationId}/pause", description: "begin no further run of it" },
  resume: { path: "/v1/operations/{operationId}/resumption", description: "go on, also if it has paused itself" },
  abort: { path: "/v1/operations/{operationId}/abortion", description: "end it for good; what is done stays done" },
} as const;

export function addOperations(program: Command): void {
  const operations = program.command("operations").description("actions on many runs");
  withPage(operations.command("list").description("operations, newest first")).action(
    withSession(async ({ client, screen }, page: Page) => {
      const list = await client.read("/v1/operations", page);
      screen.answer(list, ({ operations: rows }) => operationTable(screen, rows));
      noteMore(screen, list.nextCursor);
    }),
  );
  operations
    .command("show <operation>")
    .description("the progress of an operation, and its runs' state now")
    .action(
      withSession(async ({ client, screen }, operationId: string) => {
        const operation = await client.read("/v1/operations/{operationId}", { operationId });
        screen.answer(operation, (one) => operationText(screen, one));
      }),
    );
  for (const [name, { path, description }] of Object.entries(ACTIONS))
    operations
      .command(`${name} <operation>`)
      .description(description)
      .option("--reason <text>", "saved to the audit log; asked for on a terminal")
      .action(
        withSession(async (session, operationId: string, options: { reason?: string }) => {
          const reason = await reasonFor(session, options.reason);
          const sending = { request: { reason }, idempotencyKey: newIdempotencyKey() };
          const operation = await session.client.post(path, { operationId }, sending);
          session.screen.answer(operation, (one) => finishedText(session.screen, one));
        }),
      );
}

const verbOf = ({ act, params }: Operation): string => WORDS[act].plan.verb(params);

function operationTable(screen: Screen, operations: readonly Operation[]): string {
  if (operations.length === 0) return "No operations.";
  return screen.table(
    ["id", "action", "status", "done", "started by", "created", "reason"],
    operations.map((operation) => [
      operation.id,
      verbOf(operation),
      paintStatus(screen.paint, operation.status),
      `${formatCount(operation.counts.done)}/${formatCount(operation.counts.total)}`,
      plain(operation.startedBy),
      ago(operation.createdAt),
      plain(operation.reason),
    ]),
  );
}

function operationText(screen: Screen, operation: OperationAndRuns): string {
  const { of, completed, needPerson, underWay } = operation.runs;
  const facts = factsText(screen, {
    action: verbOf(operation),
    parameters: Object.keys(operation.params).length === 0 ? "" : valueText(operation.params),
    reason: plain(operation.reason),
    "started by": plain(operation.startedBy),
    created: agoAt(operation.createdAt),
    finished: agoAt(operation.finishedAt),
    "runs now": [
      `${formatCount(completed)} of ${formatCount(of)} completed`,
      `${formatCount(needPerson)} need attention`,
      `${formatCount(underWay)} under way`,
    ].join(", "),
  });
  return `${finishedText(screen, operation)}\n${facts}`;
}
