import { createLoader } from "nuqs/server";
import { runsAsked, runUrl, sortedBy } from "@/components/domain/run-filter/run-url";
import { pickedPaths } from "@/components/pages/run-list/address/column-url";
import { RunsPage } from "@/components/pages/run-list/runs-page";
import { runsQuery } from "@/lib/api/hooks/queries";
import { toRunFilter } from "@/lib/filters/run-filter";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Runs" };

const readUrl = createLoader(runUrl);

export default async function Page({ searchParams }: PageProps<"/runs">) {
  const url = await readUrl(searchParams);
  const filter = toRunFilter(url);
  const asked = runsAsked(filter, pickedPaths(url.cols), sortedBy(url.sort, filter));
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(runsQuery(asked, read))}
    >
      <RunsPage />
    </Prefetched>
  );
}
