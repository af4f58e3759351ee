import { WorkersPage } from "@/components/pages/system/workers-page";
import { workersQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Workers" };

export default function Page() {
  return (
    <Prefetched loading={<Loading />} ask={(queryClient, read) => queryClient.prefetchQuery(workersQuery(read))}>
      <WorkersPage />
    </Prefetched>
  );
}
