import { type Command, Option } from "commander";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { Deploy } from "../../lib/api/contract/deploys";
import { factsText } from "../output/facts";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";
import { ago, agoAt } from "../output/times";
import { withSession } from "../session/act";
import { listOf } from "../session/given";
import { noteMore, type Page, withPage } from "./page";

interface MarkOptions {
  version?: string;
  commit?: string;
  /** `--url` */
  page?: string;
  at?: string;
  reason?: string;
}

/** Words that mean the deploy behind `deploys mark`, and Handrail itself before it. */
const OF_THE_DEPLOY = /^--(version|url)(?==|$)/;

/** The program reads its own options wherever they stand, and would take these. */
export function keepDeployOptions(program: Command): void {
  const parse = program.parseOptions.bind(program);
  program.parseOptions = (argv) => {
    const mark = argv.findIndex((word, at) => word === "mark" && argv[at - 1] === "deploys");
    if (mark === -1) return parse(argv);
    const hidden = argv.map((word, at) => (at > mark ? word.replace(OF_THE_DEPLOY, "--deploy-$1") : word));
    const { operands, unknown } = parse(hidden);
    return { operands, unknown: unknown.map((word) => word.replace(/^--deploy-(version|url)/, "--$1")) };
  };
}

export function addDeploys(program: Command): void {
  const deploys = program.command("deploys").description("when other code began to run");
  withPage(deploys.command("list").description("deploys, latest first"))
    .addOption(listOf("--workflow <name>", "that concern this workflow"))
    .action(
      withSession(async ({ client, screen }, options: Page & { workflow?: string[] }) => {
        const list = await client.read("/v1/deploys", options);
        screen.answer(list, ({ deploys: rows }) => deployTable(screen, rows));
        noteMore(screen, list.nextCursor);
      }),
    );
  deploys
    .command("mark")
    .description("mark a deploy, for charts and problems")
    .option("--version <version>", "its version")
    .option("--commit <commit>", "its commit")
    .addOption(
      // Another name than that of Handrail's own address, which the session reads.
      Object.assign(new Option("--url <address>", "a page about it, such as the pipeline's"), {
        attributeName: () => "page",
      }),
    )
    .option("--at <time>", "when it was, such as 2026-11-25T04:40:00Z (default: now)")
    .option("--reason <text>", "saved to the audit log")
    .action(
      withSession(async ({ client, screen }, { page, ...options }: MarkOptions) => {
        const request = { ...options, ...(page !== undefined && { url: page }) };
        const deploy = await client.post("/v1/deploys", {}, { request, idempotencyKey: newIdempotencyKey() });
        screen.answer(deploy, (one) => deployText(screen, one));
      }),
    );
}

const versionsText = ({ workflows }: Deploy): string =>
  workflows.map(({ workflow, versions }) => `${plain(workflow)} v${versions.join(", v")}`).join(", ");

function deployTable(screen: Screen, deploys: readonly Deploy[]): string {
  if (deploys.length === 0) return "No deploys.";
  return screen.table(
    ["when", "deploy", "version", "workflows", "marked by", "url"],
    deploys.map((deploy) => [
      ago(deploy.at),
      plain(deploy.name),
      plain(deploy.version ?? ""),
      versionsText(deploy),
      plain(deploy.by ?? "workers"),
      plain(deploy.url ?? ""),
    ]),
  );
}

const deployText = (screen: Screen, deploy: Deploy): string =>
  factsText(screen, {
    deploy: plain(deploy.name),
    version: plain(deploy.version ?? ""),
    commit: plain(deploy.commit ?? ""),
    at: agoAt(deploy.at),
    url: plain(deploy.url ?? ""),
    "marked by": plain(deploy.by ?? "workers"),
    workflows: versionsText(deploy),
  });
