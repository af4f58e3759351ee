import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { RunPage } from "@/components/pages/run-page/run-page";
import { runQuery } from "@/lib/api/hooks/queries";
import { readFleetId } from "@/lib/engine/fleet/fleet-id";
import { shortenMiddle } from "@/lib/format";
import { serverEnv } from "@/lib/server-env";
import { Prefetched } from "../../prefetched";
import Loading from "./loading";

export async function generateMetadata({ params }: PageProps<"/runs/[runId]">): Promise<Metadata> {
  return { title: `Run ${shortenMiddle((await params).runId)}` };
}

export default async function Page({ params }: PageProps<"/runs/[runId]">) {
  const { runId } = await params;
  toItsCell(runId);
  return (
    <Prefetched loading={<Loading />} ask={(queryClient, read) => queryClient.prefetchQuery(runQuery(runId, read))}>
      <RunPage runId={runId} />
    </Prefetched>
  );
}

/** An id of a fleet names its cell: the run opens where it is. */
function toItsCell(id: string): void {
  const read = readFleetId(id);
  const { fleet } = serverEnv();
  const url = read && fleet?.cells.get(read.cell);
  if (url !== undefined) redirect(`${read?.cell === fleet?.own ? "" : url}/runs/${read?.runId}`);
}
