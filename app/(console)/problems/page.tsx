import { createLoader } from "nuqs/server";
import { problemUrl, toProblemFilter } from "@/components/pages/problems/problem-url";
import { ProblemsPage } from "@/components/pages/problems/problems-page";
import { problemsQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Problems" };

const readUrl = createLoader(problemUrl);

export default async function Page({ searchParams }: PageProps<"/problems">) {
  const filter = toProblemFilter(await readUrl(searchParams));
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchInfiniteQuery(problemsQuery(filter, read))}
    >
      <ProblemsPage />
    </Prefetched>
  );
}
