import { SandboxPage } from "@/components/pages/sandbox/sandbox-page";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { Prefetched } from "../prefetched";
import Loading from "./loading";

export const metadata = { title: "Sandbox" };

export default function Page() {
  return (
    <Prefetched loading={<Loading />} ask={(queryClient, read) => queryClient.prefetchQuery(overviewQuery(read))}>
      <SandboxPage />
    </Prefetched>
  );
}
