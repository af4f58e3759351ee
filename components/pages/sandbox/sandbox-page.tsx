"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FlaskConicalOff } from "lucide-react";
import { useFaults } from "@/components/domain/sandbox/use-sandbox";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { BlobsCard } from "./blobs-card";
import { FaultSwitches } from "./fault-switches";
import { LedgerCard } from "./ledger-card";
import { MailboxCard } from "./mailbox-card";
import { ReceiverCard } from "./receiver-card";

/** The sandbox: its faults, and what its services have recorded. */
export function SandboxPage() {
  const { data } = useQuery(overviewQuery());
  return (
    <>
      <TopBar title="Sandbox" />
      <div className="min-h-0 flex-1 overflow-y-auto">{data && !data.demo ? <NoSandbox /> : <World />}</div>
    </>
  );
}

function NoSandbox() {
  return (
    <EmptyState icon={<FlaskConicalOff aria-hidden />} title="No sandbox here">
      The sandbox is part of the demo: <code className="font-mono text-small">npm run demo</code>.
    </EmptyState>
  );
}

function World() {
  const queryClient = useQueryClient();
  const { data, error } = useFaults();
  // One process answers for all of it: where it is silent, one sentence is enough.
  if (!data && error)
    return (
      <QueryFailure
        what="the sandbox"
        error={error}
        onRetry={() => void queryClient.refetchQueries({ queryKey: ["sandbox"] })}
      />
    );
  return (
    <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
      <FaultSwitches />
      <LedgerCard />
      <MailboxCard />
      <ReceiverCard />
      <BlobsCard />
    </div>
  );
}
