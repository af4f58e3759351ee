import type { Metadata } from "next";
import { createLoader } from "nuqs/server";
import { flowUrl } from "@/components/domain/flow/flow-url";
import { WorkflowPage } from "@/components/pages/workflows/workflow-page";
import { workflowFlowQuery, workflowsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../../prefetched";
import Loading from "../loading";

const readUrl = createLoader(flowUrl);

export async function generateMetadata({ params }: PageProps<"/workflows/[name]">): Promise<Metadata> {
  return { title: `Workflow ${decodeURIComponent((await params).name)}` };
}

export default async function Page({ params, searchParams }: PageProps<"/workflows/[name]">) {
  const name = decodeURIComponent((await params).name);
  const { window } = await readUrl(searchParams);
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) =>
        Promise.all([
          queryClient.prefetchQuery(workflowsQuery(read)),
          queryClient.prefetchQuery(workflowFlowQuery(name, window, false, read)),
        ])
      }
    >
      <WorkflowPage name={name} />
    </Prefetched>
  );
}
