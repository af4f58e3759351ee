"use client";

import { useBlobs } from "@/components/domain/sandbox/use-sandbox";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Instant } from "@/components/parts/time/instant";
import { Card } from "@/components/ui/layout/card";
import { plural } from "@/lib/format";

/** Hidden while nothing is stored: it matters to one workflow alone. */
export function BlobsCard() {
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
