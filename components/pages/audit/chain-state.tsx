"use client";

import { useQuery } from "@tanstack/react-query";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Callout } from "@/components/ui/feedback/callout";
import { auditChainQuery } from "@/lib/api/hooks/queries";
import { formatCount } from "@/lib/format";

const INTACT = { shape: "check", word: "Intact", tone: "green" } as const;
const HOW = <code className="font-mono text-small">npm run audit -- verify</code>;

/** Whether the newest rows verify, and how to verify all. */
export function ChainState() {
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
