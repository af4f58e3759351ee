import { RunsSkeleton } from "@/components/pages/run-list/list/runs-skeleton";
import { TopBar } from "@/components/parts/page/top-bar";

export default function Loading() {
  return (
    <>
      <TopBar title="Runs" />
      <RunsSkeleton />
    </>
  );
}
