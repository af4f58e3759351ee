import { ScrollText } from "lucide-react";
import type { AuditRow } from "@/lib/api/contract/run";
import type { OperatorAct } from "@/lib/engine/operator-acts";
import { Instant } from "../time/instant";
import { Disclosure } from "../ui/disclosure";
import { EmptyState } from "../ui/empty-state";
import { JsonView } from "../values/json-view";

const ACTS: Record<string, string> = {
  rerun: "reran",
  pause: "paused",
  resume: "resumed",
  wake: "woke",
  cancel: "cancelled",
  compensate: "asked to undo",
  settle: "settled",
  mark_compensated: "settled the undo of",
  answer: "answered",
  send_event: "sent an event to",
  start: "started",
} satisfies Record<OperatorAct | "start", string>;

/** Who did what to this run, and why; the latest first, as it comes. */
export function AuditList({ audit }: { audit: AuditRow[] }) {
  if (audit.length === 0)
    return (
      <EmptyState icon={<ScrollText aria-hidden />} title="Nobody has acted on this run">
        Every act of a person stands here: who, when, why, and what it changed.
      </EmptyState>
    );
  return (
    <ol className="max-w-[820px] px-4 py-2 md:px-6">
      {audit.map((row) => (
        <li key={row.id} className="border-line border-t py-3 first:border-t-0">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span>
              <b className="font-semibold">{row.actor}</b> {ACTS[row.act] ?? row.act}{" "}
              {row.step ? <span className="break-words font-mono text-small">{row.step}</span> : "the run"}
            </span>
            <Instant at={row.at} as="full" className="text-ink-3" />
          </p>
          <p className="mt-0.5 break-words text-ink-2">
            <q>{row.reason}</q>
          </p>
          <Disclosure summary="Before and after" className="mt-1">
            <div className="mt-1 grid gap-2 md:grid-cols-2">
              <JsonView value={row.before} what="the state before" />
              <JsonView value={row.after} what="the state after" />
            </div>
          </Disclosure>
        </li>
      ))}
    </ol>
  );
}
