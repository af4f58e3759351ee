import type { Metadata } from "next";
import { RunPage } from "@/components/pages/run-page/run-page";
import { runQuery } from "@/lib/api/hooks/queries";
import { shortenMiddle } from "@/lib/format";
import { Prefetched } from "../../prefetched";
import Loading from "./loading";

export async function generateMetadata({ params }: PageProps<"/runs/[runId]">): Promise<Metadata> {
  return { title: `Run ${shortenMiddle((await params).runId)}` };
}

export default async function Page({ params }: PageProps<"/runs/[runId]">) {
  const { runId } = await params;
  return (
    <Prefetched loading={<Loading />} ask={(queryClient, read) => queryClient.prefetchQuery(runQuery(runId, read))}>
      <RunPage runId={runId} />
    </Prefetched>
  );
}
