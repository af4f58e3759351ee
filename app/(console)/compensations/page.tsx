import { CompensationsPage } from "@/components/compensations/compensations-page";
import { compensationsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Compensations" };

export default function Page() {
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, reads) => queryClient.prefetchInfiniteQuery(compensationsQuery(reads))}
    >
      <CompensationsPage />
    </Prefetched>
  );
}
