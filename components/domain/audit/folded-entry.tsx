import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { AuditRow } from "@/lib/api/contract/run";
import { plural } from "@/lib/format";
import { RESULT_LOOKS, verbOf } from "./act-words";
import { AuditEntry } from "./audit-entry";

/** What one plan did to several runs, as one entry that opens to each of them. */
export function FoldedEntry({ rows }: { rows: [AuditRow, ...AuditRow[]] }) {
  const [row] = rows;
  if (rows.length === 1) return <AuditEntry row={row} />;
  return (
    <>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="min-w-0">
          <b className="break-words font-semibold">{row.actor}</b> {verbOf(row)} {plural(rows.length, "run")} in one
          plan
          {row.result !== "done" && <StatusLabel look={RESULT_LOOKS[row.result]} className="ml-2" />}
        </span>
        <Instant at={row.at} as="full" className="text-ink-3" />
      </p>
      <p className="mt-0.5 break-words text-ink-2">
        <q>{row.reason}</q>
      </p>
      <Disclosure summary="Each run" className="mt-1">
        <ol aria-label="Runs of the plan" className="mt-1 border-line border-l pl-4">
          {rows.map((one) => (
            <li key={one.id} className="border-line border-t py-2 first:border-t-0">
              <AuditEntry row={one} />
            </li>
          ))}
        </ol>
      </Disclosure>
    </>
  );
}
