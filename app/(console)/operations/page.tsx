import { OperationsPage } from "@/components/pages/operations/operations-page";
import { operationsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Bulk actions" };

export default function Page() {
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(operationsQuery(read))}
    >
      <OperationsPage />
    </Prefetched>
  );
}
