import { createLoader } from "nuqs/server";
import { runUrl, toRunFilter } from "@/components/runs/run-url";
import { RunsPage } from "@/components/runs/runs-page";
import { runsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Runs" };

const readUrl = createLoader(runUrl);

export default async function Page({ searchParams }: PageProps<"/runs">) {
  const filter = toRunFilter(await readUrl(searchParams));
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, reads) => queryClient.prefetchInfiniteQuery(runsQuery(filter, reads))}
    >
      <RunsPage />
    </Prefetched>
  );
}
