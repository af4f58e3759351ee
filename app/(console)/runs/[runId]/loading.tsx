import { RunSkeleton } from "@/components/run/run-skeleton";
import { TopBar } from "@/components/shell/top-bar";

export default function Loading() {
  return (
    <>
      <TopBar />
      <RunSkeleton />
    </>
  );
}
