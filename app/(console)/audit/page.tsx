import { createLoader } from "nuqs/server";
import { AuditPage } from "@/components/pages/audit/audit-page";
import { auditUrl, toAuditFilter } from "@/components/pages/audit/audit-url";
import { auditQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Audit" };

const readUrl = createLoader(auditUrl);

export default async function Page({ searchParams }: PageProps<"/audit">) {
  const filter = toAuditFilter(await readUrl(searchParams));
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(auditQuery(filter, read))}
    >
      <AuditPage />
    </Prefetched>
  );
}
