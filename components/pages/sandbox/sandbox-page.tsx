"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { FlaskConicalOff } from "lucide-react";
import { useBlobs, useFaults } from "@/components/domain/sandbox/use-sandbox";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { TopBar } from "@/components/parts/page/top-bar";
import { Instant } from "@/components/parts/time/instant";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { Card } from "@/components/ui/layout/card";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { plural } from "@/lib/format";
import { FaultSwitches } from "./fault-switches";
import { LedgerCard } from "./ledger-card";
import { MailboxCard } from "./mailbox-card";
import { OnCallCards } from "./on-call-cards";
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
      <OnCallCards />
      <BlobsCard />
    </div>
  );
}

/** Hidden while nothing is stored: it matters to one workflow alone. */
function BlobsCard() {
  const { data, error, refetch } = useBlobs();
  if (!data && error) return <QueryFailure what="the blob store" error={error} onRetry={() => void refetch()} />;
  if (!data || data.blobs.length === 0) return null;
  return (
    <Card title="Blob store" note={plural(data.blobs.length, "object")}>
      <ul className="px-4 pb-2">
        {data.blobs.map((blob) => (
          <li key={blob.key} className="flex items-center gap-3 border-line border-t py-1.5 first:border-t-0">
            <span className="min-w-0 flex-1 truncate font-mono text-small">{blob.key}</span>
            <span className="text-ink-3">{plural(blob.size, "byte")}</span>
            <span className={blob.writes > 1 ? "" : "text-ink-3"}>
              written {blob.writes === 1 ? "once" : plural(blob.writes, "time")}
            </span>
            <Instant at={blob.createdAt} className="text-ink-3 max-md:hidden" />
          </li>
        ))}
      </ul>
    </Card>
  );
}
