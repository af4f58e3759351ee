import type { Metadata } from "next";
import { ComparePage, CompareSkeleton } from "@/components/pages/compare/compare-page";
import { wholeRunQuery } from "@/lib/api/hooks/queries";
import { shortenMiddle } from "@/lib/format";
import { Prefetched } from "../../../prefetched";

export async function generateMetadata({ params }: PageProps<"/runs/[runId]/compare">): Promise<Metadata> {
  return { title: `Compare ${shortenMiddle((await params).runId)}` };
}

export default async function Page({ params }: PageProps<"/runs/[runId]/compare">) {
  const { runId } = await params;
  return (
    <Prefetched
      loading={<CompareSkeleton />}
      ask={(queryClient, read) => queryClient.prefetchQuery(wholeRunQuery(runId, read))}
    >
      <ComparePage runId={runId} />
    </Prefetched>
  );
}
