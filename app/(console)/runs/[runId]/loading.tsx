import { RunSkeleton } from "@/components/pages/run-page/run-skeleton";
import { TopBar } from "@/components/parts/page/top-bar";

export default function Loading() {
  return (
    <>
      <TopBar />
      <RunSkeleton />
    </>
  );
}
