import { createLoader } from "nuqs/server";
import { logUrl, toLogFilter } from "@/components/pages/logs/log-url";
import { LogsPage } from "@/components/pages/logs/logs-page";
import { logSearchQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Logs" };

const readUrl = createLoader(logUrl);

export default async function Page({ searchParams }: PageProps<"/logs">) {
  const url = await readUrl(searchParams);
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(logSearchQuery(toLogFilter(url), url.follow, read))}
    >
      <LogsPage />
    </Prefetched>
  );
}
