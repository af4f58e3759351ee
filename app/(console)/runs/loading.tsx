import { RunsSkeleton } from "@/components/runs/list/runs-skeleton";
import { TopBar } from "@/components/shell/top-bar";

export default function Loading() {
  return (
    <>
      <TopBar title="Runs" />
      <RunsSkeleton />
    </>
  );
}
