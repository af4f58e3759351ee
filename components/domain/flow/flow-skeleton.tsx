import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";

/** Placeholder of the four charts. */
export function FlowSkeleton() {
  return (
    <Loading what="the charts" className="grid gap-3.5 md:grid-cols-2">
      {["ended", "failed", "took", "waited"].map((chart) => (
        <div key={chart} className="grid h-[270px] content-start gap-3 rounded-[10px] border border-line bg-panel p-4">
          <Skeleton className="h-4 w-28" />
          <Skeleton className="h-7 w-24" />
          <Skeleton className="h-[148px] w-full" />
        </div>
      ))}
    </Loading>
  );
}
