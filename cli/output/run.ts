import type { Run, RunListItem } from "../../lib/api/contract/run";
import { type RunNames, titleOfRun } from "../../lib/engine/runs/run-name";
import { formatBytes, shortenMiddle } from "../../lib/format";
import { factsText } from "./facts";
import { type Paint, paintStatus } from "./paint";
import { jsonText, plain } from "./plain";
import type { Screen } from "./screen";
import { agoAt } from "./times";

type Shown = Pick<RunListItem, "status" | "attention" | "waitingFor">;

/** `waiting · approval`, `failed`, `completed · compensation owed` */
export function runStatus(paint: Paint, { status, attention, waitingFor }: Shown): string {
  const more = attention !== null && attention !== status ? attention : (waitingFor?.kind ?? null);
  const color = attention === null ? status : "failed";
  const text = more === null || more === status ? status : `${status} · ${more}`;
  return paintStatus(paint, color).replace(color.replaceAll("_", " "), text.replaceAll("_", " "));
}

/** `orderId:A-17 region:eu`, as a filter has them after `tag.` */
export const tagsText = (tags: Readonly<Record<string, string>>): string =>
  Object.entries(tags)
    .map(([name, value]) => plain(`${name}:${value}`))
    .join(" ");

/** What people call a run, short enough for a column. */
export const titleText = (names: RunNames): string => plain(shortenMiddle(titleOfRun(names) ?? "", 28, 10));

const MAX_VALUE = 2_000;

const isElsewhere = (value: unknown): value is { size: number } =>
  (value as { $type?: unknown } | null)?.$type === "blob";

/** JSON on one line, cut where it is long: `--json` has all of it. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (isElsewhere(value)) return `${formatBytes(value.size)}, in the blob store (handrail runs value)`;
  const text = plain(jsonText(value));
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}… (cut; --json has all of it)` : text;
}

export const errorText = (error: Run["error"]): string =>
  error === null ? "" : plain(`${error.name}: ${error.message}${error.code === undefined ? "" : ` (${error.code})`}`);

/** What a run is, below each other. */
export function runFacts(screen: Screen, run: Run): string {
  return factsText(screen, {
    run: run.id,
    title: plain(titleOfRun(run) ?? ""),
    workflow: plain(`${run.workflow}, version ${run.codeVersion}`),
    status: runStatus(screen.paint, run),
    summary: plain(run.summary),
    tags: tagsText(run.tags),
    headers: tagsText(run.headers),
    key: plain(run.idempotencyKey ?? ""),
    parent: run.parentRunId ?? "",
    created: agoAt(run.createdAt),
    started: agoAt(run.startedAt),
    finished: agoAt(run.finishedAt),
    input: valueText(run.input),
    output: valueText(run.output),
    error: errorText(run.error),
  });
}

/** What an action on a run has led to. */
export const afterAction = (screen: Screen, did: string, run: Run): string =>
  `${did} ${run.id}\n${factsText(screen, { status: runStatus(screen.paint, run), summary: plain(run.summary) })}`;
