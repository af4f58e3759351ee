import { ApprovalsPage } from "@/components/pages/approvals/approvals-page";
import { approvalsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Approvals" };

export default function Page() {
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(approvalsQuery(read))}
    >
      <ApprovalsPage />
    </Prefetched>
  );
}
