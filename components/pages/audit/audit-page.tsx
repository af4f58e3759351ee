"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { useQueryStates } from "nuqs";
import { foldedByPlan } from "@/components/domain/audit/fold";
import { FoldedEntry } from "@/components/domain/audit/folded-entry";
import { BoardPage } from "@/components/parts/page/board-page";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Button } from "@/components/ui/button";
import { ExportButtons } from "@/components/ui/export-buttons";
import { Callout } from "@/components/ui/feedback/callout";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { useDebounced } from "@/components/ui/hooks/use-debounced";
import { Card } from "@/components/ui/layout/card";
import { hrefOf } from "@/lib/api/client/browser";
import type { AuditRow } from "@/lib/api/contract/run";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";
import { auditChainQuery, auditQuery } from "@/lib/api/hooks/queries";
import { formatCount } from "@/lib/format";
import { AuditFilters } from "./audit-filters";
import { auditUrl, toAuditFilter } from "./audit-url";

const TYPING_MS = 220;

/** The audit log: actions and refusals, newest first. */
export function AuditPage() {
  const [url, setUrl] = useQueryStates(auditUrl, { history: "replace" });
  const actor = useDebounced(url.actor, TYPING_MS);
  const filter = toAuditFilter({ ...url, actor });
  const closed = useWhyNot("audit.read") !== null;
  return (
    <BoardPage
      title="Audit"
      query={useInfiniteQuery(auditQuery(filter))}
      above={
        closed ? null : (
          <>
            <AuditFilters url={url} setUrl={setUrl} />
            <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
              <ChainState />
              <ExportButtons href={(format) => hrefOf("/v1/audit/export", { ...filter, format })} />
            </div>
          </>
        )
      }
    >
      {(rows) => <Rows rows={rows} filtered={Object.keys(filter).length > 0} onClear={() => setUrl(null)} />}
    </BoardPage>
  );
}

function Rows({ rows, filtered, onClear }: { rows: AuditRow[]; filtered: boolean; onClear: () => void }) {
  if (rows.length === 0 && filtered)
    return (
      <EmptyState icon={<ScrollText aria-hidden />} title="No actions match these filters">
        <Button onClick={onClear}>Clear the filters</Button>
      </EmptyState>
    );
  if (rows.length === 0)
    return (
      <EmptyState icon={<ScrollText aria-hidden />} title="No actions yet">
        Every action of a user or a program is listed here: who, when, why, and what changed. Refused ones, too.
      </EmptyState>
    );
  return (
    <Card>
      <ol aria-label="Actions">
        {foldedByPlan(rows).map((entry) => (
          <li key={entry[0].id} className="border-line border-t px-4 py-3 first:border-t-0">
            <FoldedEntry rows={entry} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

const INTACT = { shape: "check", word: "Intact", tone: "green" } as const;
const HOW = <code className="font-mono text-small">npm run audit -- verify</code>;

/** Whether the newest rows verify, and how to verify all. */
function ChainState() {
  const { data: chain, error } = useQuery(auditChainQuery());
  if (chain?.fault)
    return (
      <Callout tone="red" role="alert" title="The audit log was changed" className="w-full">
        <p className="break-words">{chain.fault.says}</p>
        <p className="text-ink-2">Do not change the database, and run {HOW}: it checks the whole chain.</p>
      </Callout>
    );
  if (!chain)
    return <p className="text-ink-3">{error ? "The chain could not be verified." : "Verifying the chain…"}</p>;
  return (
    <p className="text-ink-2">
      <StatusLabel look={INTACT} className="mr-2" />
      {chain.rows < chain.seq
        ? `The newest ${formatCount(chain.rows)} of ${formatCount(chain.seq)} rows are intact.`
        : `All ${formatCount(chain.seq)} rows are intact.`}{" "}
      {chain.rows < chain.seq && <>Verify all: {HOW}.</>}
    </p>
  );
}
