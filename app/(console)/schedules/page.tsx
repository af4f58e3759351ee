import { SchedulesPage } from "@/components/pages/schedules/schedules-page";
import { schedulesQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Schedules" };

export default function Page() {
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(schedulesQuery(read))}
    >
      <SchedulesPage />
    </Prefetched>
  );
}
