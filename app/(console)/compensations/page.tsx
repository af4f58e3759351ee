import { CompensationsPage } from "@/components/compensations/compensations-page";
import { compensationsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";

export const metadata = { title: "Compensations" };

export default function Page() {
  return (
    <Prefetched ask={(queryClient, reads) => queryClient.prefetchInfiniteQuery(compensationsQuery(reads))}>
      <CompensationsPage />
    </Prefetched>
  );
}
