import { OperationPage } from "@/components/pages/operations/operation-page";
import { operationQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../../prefetched";
import Loading from "../loading";

export const metadata = { title: "Operation" };

export default async function Page({ params }: PageProps<"/operations/[operationId]">) {
  const { operationId } = await params;
  return (
    <Prefetched
      loading={<Loading />}
      ask={(queryClient, read) => queryClient.prefetchQuery(operationQuery(operationId, read))}
    >
      <OperationPage operationId={operationId} />
    </Prefetched>
  );
}
