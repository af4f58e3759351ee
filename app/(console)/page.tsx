import { createLoader } from "nuqs/server";
import { overviewUrl } from "@/components/domain/flow/flow-url";
import { OverviewPage } from "@/components/pages/overview/overview-page";
import { flowQuery, overviewQuery } from "@/lib/api/hooks/queries";
import Loading from "./loading";
import { Prefetched } from "./prefetched";

export const metadata = { title: "Inbox" };

const readUrl = createLoader(overviewUrl);

export default async function Page({ searchParams }: PageProps<"/">) {
  const { window, workflow } = await readUrl(searchParams);
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) =>
        Promise.all([
          queryClient.prefetchQuery(overviewQuery(read)),
          queryClient.prefetchQuery(flowQuery(window, workflow, false, read)),
        ])
      }
    >
      <OverviewPage />
    </Prefetched>
  );
}
