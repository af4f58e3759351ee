import { OverviewPage } from "@/components/overview/overview-page";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "./prefetched";

export const metadata = { title: "Overview" };

export default function Page() {
  return (
    <Prefetched ask={(queryClient, reads) => queryClient.prefetchQuery(overviewQuery(reads))}>
      <OverviewPage />
    </Prefetched>
  );
}
