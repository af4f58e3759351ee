import { type Command, Option } from "commander";
import { newIdempotencyKey } from "../../lib/api/client/client";
import type { ScheduleActResponse, ScheduleListItem } from "../../lib/api/contract/schedules";
import { MISSED_POLICIES, type MissedPolicy, OVERLAPS, type Overlap } from "../../lib/engine/schedules/schedule";
import { formatDuration } from "../../lib/format";
import { plain } from "../output/plain";
import type { Screen } from "../output/screen";
import { ago } from "../output/times";
import { withSession } from "../session/act";
import { durationMs, jsonValue } from "../session/given";
import { reasonFor } from "../session/reason";
import { noteMore, type Page, withPage } from "./page";

const ACTIONS = {
  run: { path: "/v1/schedules/{name}/firings", description: "start a run now", did: "Started" },
  pause: { path: "/v1/schedules/{name}/pause", description: "start no runs until it is resumed", did: "Paused" },
  resume: { path: "/v1/schedules/{name}/resumption", description: "go on with the next time", did: "Resumed" },
} as const;

interface PutOptions {
  workflow: string;
  title?: string;
  cron?: string;
  timeZone?: string;
  every?: number;
  input: string;
  overlap?: Overlap;
  missed?: MissedPolicy;
  reason?: string;
}

function addPut(schedules: Command): void {
  schedules
    .command("put <schedule>")
    .description("make a schedule beside those in code, or change one made so")
    .requiredOption("--workflow <name>", "what it starts")
    .option("--title <text>", "display name; default: the name")
    .option("--cron <expression>", "five fields, or six with seconds first")
    .option("--time-zone <zone>", "of --cron; default UTC")
    .addOption(new Option("--every <duration>", "instead of --cron, such as 15m").argParser(durationMs))
    .option("--input <json>", "of each run: JSON, @FILE, or - for stdin", "{}")
    .addOption(new Option("--overlap <policy>", "while an earlier run is in progress; default skip").choices(OVERLAPS))
    .addOption(
      new Option("--missed <policy>", "times that no worker was there for; default last").choices(MISSED_POLICIES),
    )
    .option("--reason <text>", "saved to the audit log; asked for on a terminal")
    .action(
      withSession(async (session, name: string, options: PutOptions) => {
        const { every: everyMs, reason: given, input: text, ...rest } = options;
        const input = (await jsonValue(text, "--input")) as never;
        const reason = await reasonFor(session, given);
        const sending = { request: { ...rest, everyMs, input, reason }, idempotencyKey: newIdempotencyKey() };
        const answer = await session.client.put("/v1/schedules/{name}", { name }, sending);
        session.screen.answer(answer, ({ created, changed }) => {
          const did = created ? "Made" : changed ? "Changed" : "Nothing to change in";
          return `${did} ${plain(name)}`;
        });
      }),
    );
}

function addRemove(schedules: Command): void {
  schedules
    .command("remove <schedule>")
    .description("remove a schedule that was made at run time")
    .option("--reason <text>", "saved to the audit log; asked for on a terminal")
    .action(
      withSession(async (session, name: string, options: { reason?: string }) => {
        const reason = await reasonFor(session, options.reason);
        const sending = { request: { reason }, idempotencyKey: newIdempotencyKey() };
        const answer = await session.client.post("/v1/schedules/{name}/removal", { name }, sending);
        session.screen.answer(answer, () => `Removed ${plain(name)}`);
      }),
    );
}

export function addSchedules(program: Command): void {
  const schedules = program.command("schedules").description("runs that start by the clock");
  withPage(schedules.command("list").description("schedules with their next and last times")).action(
    withSession(async ({ client, screen }, page: Page) => {
      const list = await client.read("/v1/schedules", page);
      screen.answer(list, ({ schedules: rows }) => scheduleTable(screen, rows));
      noteMore(screen, list.nextCursor);
    }),
  );
  addPut(schedules);
  addRemove(schedules);
  for (const [name, { path, description, did }] of Object.entries(ACTIONS))
    schedules
      .command(`${name} <schedule>`)
      .description(description)
      .option("--reason <text>", "saved to the audit log; asked for on a terminal")
      .action(
        withSession(async (session, schedule: string, options: { reason?: string }) => {
          const reason = await reasonFor(session, options.reason);
          const sending = { request: { reason }, idempotencyKey: newIdempotencyKey() };
          const answer = await session.client.post(path, { name: schedule }, sending);
          session.screen.answer(answer, (after) => afterText(did, after));
        }),
      );
}

const afterText = (did: string, { schedule, runIds }: ScheduleActResponse): string =>
  [`${did} ${plain(schedule.name)}`, ...runIds.map((id) => `run ${id}`)].join("\n");

const timingText = ({ timing }: ScheduleListItem): string =>
  "everyMs" in timing ? `every ${formatDuration(timing.everyMs)}` : plain(`${timing.cron} ${timing.timeZone}`);

function scheduleTable(screen: Screen, schedules: readonly ScheduleListItem[]): string {
  if (schedules.length === 0) return "No schedules.";
  return screen.table(
    ["name", "workflow", "timing", "next", "last"],
    schedules.map((schedule) => {
      const [last] = schedule.firings;
      return [
        plain(schedule.name),
        plain(schedule.workflow),
        timingText(schedule),
        schedule.pausedAt === null ? ago(schedule.nextTimes[0] ?? null) : screen.paint("yellow", "paused"),
        last === undefined ? "" : `${last.status} ${ago(last.nominalAt)}`,
      ];
    }),
  );
}
