import { OverviewPage } from "@/components/overview/overview-page";
import { overviewQuery } from "@/lib/api/hooks/queries";
import Loading from "./loading";
import { Prefetched } from "./prefetched";

export const metadata = { title: "Overview" };

export default function Page() {
  return (
    <Prefetched loading={<Loading />} ask={(queryClient, reads) => queryClient.prefetchQuery(overviewQuery(reads))}>
      <OverviewPage />
    </Prefetched>
  );
}
