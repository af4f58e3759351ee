import { ProblemPage } from "@/components/pages/problems/problem-page";
import { problemQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../../prefetched";
import Loading from "../loading";

export const metadata = { title: "Problem" };

export default async function Page({ params }: PageProps<"/problems/[problemId]">) {
  const { problemId } = await params;
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchQuery(problemQuery(problemId, read))}
    >
      <ProblemPage problemId={problemId} />
    </Prefetched>
  );
}
