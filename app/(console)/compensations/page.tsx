import { createLoader } from "nuqs/server";
import { compensationUrl, toCompensationFilter } from "@/components/pages/compensations/compensation-url";
import { CompensationsPage } from "@/components/pages/compensations/compensations-page";
import { compensationsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Compensations" };

const readUrl = createLoader(compensationUrl);

export default async function Page({ searchParams }: PageProps<"/compensations">) {
  const filter = toCompensationFilter(await readUrl(searchParams));
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(compensationsQuery(filter, read))}
    >
      <CompensationsPage />
    </Prefetched>
  );
}
