import type { Command } from "commander";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { AlertRuleView } from "../../lib/api/contract/alerts";
import { conditionWords, readingWords } from "../../lib/engine/alerts/alert-words";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";
import { ago } from "../output/times";
import { withSession } from "../session/act";
import { durationMs } from "../session/given";
import { reasonFor } from "../session/reason";
import type { Session } from "../session/session";
import { UsageError } from "../session/stops";

interface MuteOptions {
  reason?: string;
  for?: number;
  off?: boolean;
}

export function addAlerts(program: Command): void {
  const alerts = program.command("alerts").description("rules with thresholds, and what fires");
  alerts
    .command("list")
    .description("alert rules, those that fire first")
    .action(
      withSession(async ({ client, screen }) => {
        screen.answer(await client.read("/v1/alerts", {}), ({ rules }) => ruleTable(screen, rules));
      }),
    );
  alerts
    .command("ack <rule>")
    .description("look after the open alert of a rule; paging services acknowledge it, too")
    .option("--reason <text>", "saved to the audit log")
    .action(
      withSession(async (session, name: string, { reason }: { reason?: string }) => {
        const { id, alerts: fired } = await ruleNamed(session, name);
        const open = fired.find(({ resolvedAt }) => resolvedAt === null);
        if (!open) throw new UsageError(`${plain(name)} does not fire.`);
        const request = { alertId: open.id, ...(reason !== undefined && { reason }) };
        const sending = { request, idempotencyKey: newIdempotencyKey() };
        const answer = await session.client.post("/v1/alerts/{id}/acknowledgement", { id }, sending);
        session.screen.answer(answer, () => `Acknowledged ${plain(name)}`);
      }),
    );
  alerts
    .command("mute <rule>")
    .description("send nothing about a rule for a while; it still shows its state")
    .option("--for <duration>", "such as 30m or 8h (default: 1h)", durationMs)
    .option("--off", "no longer")
    .option("--reason <text>", "saved to the audit log; asked for on a terminal")
    .action(
      withSession(async (session, name: string, options: MuteOptions) => {
        const { id } = await ruleNamed(session, name);
        const reason = await reasonFor(session, options.reason);
        const until = options.off ? null : new Date(Date.now() + (options.for ?? HOUR_MS)).toISOString();
        const sending = { request: { until, reason }, idempotencyKey: newIdempotencyKey() };
        const answer = await session.client.post("/v1/alerts/{id}/mute", { id }, sending);
        session.screen.answer(answer, ({ mutedUntil }) =>
          mutedUntil === null ? `No longer muted: ${plain(name)}` : `Muted ${plain(name)} until ${mutedUntil}`,
        );
      }),
    );
}

const HOUR_MS = 3_600_000;

async function ruleNamed({ client }: Session, name: string): Promise<AlertRuleView> {
  const { rules } = await client.read("/v1/alerts", {});
  const rule = rules.find((one) => one.name === name);
  if (!rule) throw new UsageError(`There is no alert rule named "${plain(name)}". Try: handrail alerts list`);
  return rule;
}

function ruleTable(screen: Screen, rules: readonly AlertRuleView[]): string {
  if (rules.length === 0) return "No alert rules.";
  return screen.table(
    ["rule", "state", "since", "now", "fires when"],
    rules.map((rule) => [
      plain(rule.name),
      stateText(screen, rule),
      ago(rule.breachedSince),
      rule.state === "ok" ? "" : plain(readingWords(rule)),
      conditionWords(rule),
    ]),
  );
}

function stateText({ paint }: Screen, { state, enabled, retired, muted, alerts: [last] }: AlertRuleView): string {
  if (retired) return paint("gray", "no longer in code");
  if (!enabled) return paint("gray", "off");
  const taken = state === "firing" && last?.acknowledgedAt ? " (acknowledged)" : "";
  const colour = { ok: "green", pending: "yellow", firing: "red" } as const;
  return paint(colour[state], `${state}${taken}${muted ? ", muted" : ""}`);
}
