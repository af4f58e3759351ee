import { type Command, Option } from "commander";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { TokenListResponse } from "../../lib/api/contract/access";
import { SCOPES } from "../../lib/engine/access/permission";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";
import { ago } from "../output/times";
import { withSession } from "../session/act";
import { listOf, wholeNumber } from "../session/given";
import { reasonFor } from "../session/reason";

type Token = TokenListResponse["tokens"][number];

interface CreateOptions {
  scope: string[];
  workflow?: string[];
  days: number;
  reason?: string;
}

export function addTokens(program: Command): void {
  const tokens = program.command("tokens").description("tokens of programs");
  tokens
    .command("list")
    .description("tokens, with what they may do and when they were used")
    .action(
      withSession(async ({ client, screen }) => {
        screen.answer(await client.read("/v1/tokens", {}), ({ tokens: rows }) => tokenTable(screen, rows));
      }),
    );
  addCreate(tokens);
  tokens
    .command("revoke <token>")
    .description("end a token, by its id")
    .option("--reason <text>", "saved to the audit log; asked for on a terminal")
    .action(
      withSession(async (session, id: string, options: { reason?: string }) => {
        const reason = await reasonFor(session, options.reason);
        const sending = { request: { reason }, idempotencyKey: newIdempotencyKey() };
        const answer = await session.client.post("/v1/tokens/{id}/revocation", { id }, sending);
        session.screen.answer(answer, () => `Revoked ${id}`);
      }),
    );
}

/** On stdout there is the secret alone: `HANDRAIL_TOKEN=$(handrail tokens create …)`. */
function addCreate(tokens: Command): void {
  tokens
    .command("create <name>")
    .description("make a token; its secret is printed once")
    .addOption(
      listOf("--scope <scope>", "a role or an action; can be given several times", SCOPES).makeOptionMandatory(),
    )
    .addOption(listOf("--workflow <name>", "only of this workflow; can be given several times"))
    .addOption(new Option("--days <number>", "until it expires").argParser(wholeNumber(1, 366)).default(90))
    .option("--reason <text>", "saved to the audit log; asked for on a terminal")
    .action(
      withSession(async (session, name: string, { scope, workflow, days, ...options }: CreateOptions) => {
        const reason = await reasonFor(session, options.reason);
        const request = { name, scopes: scope, workflows: workflow ?? null, expiresInDays: days, reason };
        const made = await session.client.post("/v1/tokens", {}, { request, idempotencyKey: newIdempotencyKey() });
        session.screen.answer(made, ({ secret }) => secret ?? "");
        session.screen.note(
          `Token ${made.token.id} expires ${ago(made.token.expiresAt)}. Its secret is not shown again.`,
        );
      }),
    );
}

function tokenTable(screen: Screen, tokens: readonly Token[]): string {
  if (tokens.length === 0) return "No tokens.";
  return screen.table(
    ["id", "name", "expires", "used", "created by", "scopes"],
    tokens.map((token) => [
      token.id,
      plain(token.name),
      token.revokedAt === null ? ago(token.expiresAt) : screen.paint("red", `revoked ${ago(token.revokedAt)}`),
      ago(token.usedAt) || "never",
      plain(token.createdBy),
      plain([...token.scopes, ...(token.workflows ?? []).map((name) => `of ${name}`)].join(", ")),
    ]),
  );
}
