import type { Command } from "commander";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { OpenApproval } from "../../lib/api/contract/responses";
import { plain } from "../output/plain";
import { afterAction, titleText } from "../output/run";
import type { Screen } from "../output/screen";
import { ago } from "../output/times";
import { withSession } from "../session/act";
import { noteMore, type Page, withPage } from "./page";

export function addApprovals(program: Command): void {
  const approvals = program.command("approvals").description("questions of runs that wait for an answer");
  withPage(approvals.command("list").description("open questions, oldest first")).action(
    withSession(async ({ client, screen }, page: Page) => {
      const list = await client.read("/v1/approvals", page);
      screen.answer(list, ({ approvals: rows }) => approvalTable(screen, rows));
      noteMore(screen, list.nextCursor);
    }),
  );
  approvals
    .command("answer <run> <step> <choice>")
    .description("answer a question; the first answer counts")
    .option("--note <text>", "saved to the audit log with the answer")
    .action(
      withSession(
        async ({ client, screen }, runId: string, step: string, choice: string, { note }: { note?: string }) => {
          const run = await client.post(
            "/v1/runs/{runId}/approvals/{step}/answer",
            { runId, step },
            { request: { choice, note }, idempotencyKey: newIdempotencyKey() },
          );
          screen.answer(run, (after) => afterAction(screen, `Answered "${plain(choice)}" to`, after));
        },
      ),
    );
}

function approvalTable(screen: Screen, approvals: readonly OpenApproval[]): string {
  if (approvals.length === 0) return "No open questions.";
  return screen.table(
    ["run", "title", "workflow", "step", "choices", "since", "expires", "question"],
    approvals.map((one) => [
      one.runId,
      titleText(one),
      plain(one.workflow),
      plain(one.step),
      plain(one.choices.join(" | ")),
      ago(one.since),
      ago(one.until),
      plain(one.question),
    ]),
  );
}
