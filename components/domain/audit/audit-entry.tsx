import Link from "next/link";
import { RunLink } from "@/components/domain/run/run-link";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { JsonView } from "@/components/parts/values/json-view";
import { Disclosure } from "@/components/ui/layout/disclosure";
import { MiddleText } from "@/components/ui/text/middle-text";
import type { AuditRow } from "@/lib/api/contract/run";
import { RESULT_LOOKS, verbOf } from "./act-words";

/**
 * Who did or tried what, and why; opens to its changes and how the caller was authenticated. `ofRun`: on that run's own
 * page.
 */
export function AuditEntry({ row, ofRun = false }: { row: AuditRow; ofRun?: boolean }) {
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0">
          <b className="break-words font-semibold">{row.actor}</b> {verbOf(row)} <Target row={row} ofRun={ofRun} />
          {row.result !== "done" && <StatusLabel look={RESULT_LOOKS[row.result]} className="ml-2" />}
        </span>
        <Instant at={row.at} as="full" className="text-ink-3" />
      </p>
      <p className="mt-0.5 break-words text-ink-2">
        <q>{row.reason}</q>
      </p>
      {row.result !== "done" && <p className="mt-0.5 break-words text-ink-2">{becauseOf(row)}</p>}
      <Disclosure summary="Before and after" className="mt-1">
        <Changes row={row} />
        <div className="mt-2 grid gap-2 md:grid-cols-2">
          <JsonView value={row.before} what="the state before" />
          <JsonView value={row.after} what="the state after" />
        </div>
        <Circumstances row={row} />
      </Disclosure>
    </>
  );
}

const becauseOf = ({ after, code }: AuditRow) => (after as { because?: string } | null)?.because ?? code;

function Target({ row, ofRun }: { row: AuditRow; ofRun: boolean }) {
  const { runId, step, schedule, workflow } = row;
  const named = step !== null && <span className="break-words font-mono text-small">{step}</span>;
  if (ofRun) return named || "the run";
  if (schedule !== null) return <Place href={`/schedules/${encodeURIComponent(schedule)}`} name={schedule} />;
  if (runId !== null)
    return (
      <>
        {named} {named && "of"} <RunLink runId={runId} names={row.named ?? null} href={`/runs/${runId}?tab=audit`} />
        {workflow && <span className="text-ink-3"> ({workflow})</span>}
      </>
    );
  if (workflow !== null) return <Place href="/workflows" name={workflow} />;
  const { name } = (row.after ?? {}) as { name?: string };
  return name === undefined ? null : <b className="break-words font-semibold">{name}</b>;
}

function Place({ href, name }: { href: string; name: string }) {
  return (
    <Link href={href} className="inline-block max-w-full align-bottom font-mono text-accent text-small underline">
      <MiddleText text={name} />
    </Link>
  );
}

function Changes({ row }: { row: AuditRow }) {
  const changes = row.result === "done" ? changesBetween(row.before, row.after) : [];
  if (changes.length === 0) return <p className="mt-1 text-ink-3">Nothing was changed.</p>;
  return (
    <div className="mt-1 grid gap-0.5">
      {changes.map(({ path, before, after }) => (
        <p key={path} className="break-words">
          <span className="font-mono text-small">{path}</span>: {before !== null && <del>{before}</del>}
          {before !== null && after !== null && " → "}
          {after !== null && <ins className="no-underline">{after}</ins>}
        </p>
      ))}
    </div>
  );
}

/** Shortened from 64 digits; an export has all of them. */
const HASH_SHOWN = 16;

/** How the caller was authenticated, and the row's place in the chain. */
function Circumstances({ row }: { row: AuditRow }) {
  const facts = [
    ["by", row.actorKind],
    ["with", row.credentialId],
    ["from", row.address],
    ["through", row.userAgent],
    ["request", row.requestId],
    ["plan", row.planId],
    ["refused as", row.code],
    ["row", row.seq],
    ["hash", row.hash && `${row.hash.slice(0, HASH_SHOWN)}…`],
  ].filter(([, value]) => value !== null);
  return (
    <p className="mt-2 break-all text-ink-3 text-small">
      {facts.map(([name, value]) => `${name} ${value}`).join(" · ")}
    </p>
  );
}

interface Change {
  /** Names from the outside in, joined by dots. */
  path: string;
  before: string | null;
  after: string | null;
}

/** Differences between two JSON values, path by path; null if there are none. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const [was, is] = [placesOf(before), placesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path) ?? null, after: is.get(path) ?? null }))
    .filter((change) => change.before !== change.after);
}

function placesOf(value: unknown, path: string[] = []): Map<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return new Map([[path.join("."), typeof value === "string" ? value : JSON.stringify(value)]]);
  return new Map(Object.entries(value).flatMap(([name, item]) => [...placesOf(item, [...path, name])]));
}
