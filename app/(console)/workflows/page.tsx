import { WorkflowsPage } from "@/components/pages/workflows/workflows-page";
import { workflowsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Workflows" };

export default function Page() {
  return (
    <Prefetched loading={<Loading />} ask={(queryClient, read) => queryClient.prefetchQuery(workflowsQuery(read))}>
      <WorkflowsPage />
    </Prefetched>
  );
}
