import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";

export function OverviewSkeleton() {
  return (
    <Loading
      what="the overview"
      className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]"
    >
      <div className="grid h-60 content-start gap-5 rounded-[10px] border border-line bg-panel p-4">
        <Skeleton className="h-4 w-36" />
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-8 w-11/12" />
        <Skeleton className="h-8 w-full" />
      </div>
      <div className="grid h-60 content-start gap-4 rounded-[10px] border border-line bg-panel p-4">
        <Skeleton className="h-4 w-16" />
        {["w-40", "w-32", "w-44", "w-28", "w-36"].map((width) => (
          <Skeleton key={width} className={`h-3.5 ${width}`} />
        ))}
      </div>
      <Skeleton className="h-[86px] rounded-[10px] lg:col-span-2" />
    </Loading>
  );
}
