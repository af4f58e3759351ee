import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";

export function RunSkeleton() {
  return (
    <Loading what="the run">
      <div className="border-line border-b px-4 pt-5 pb-5 md:px-6">
        <Skeleton className="h-3.5 w-64" />
        <Skeleton className="mt-3 h-5 w-[min(560px,90%)]" />
        <Skeleton className="mt-2 h-5 w-[min(320px,60%)]" />
      </div>
      <div className="grid gap-5 px-4 py-6 md:px-6">
        {["w-3/12", "w-6/12", "w-2/12", "w-4/12"].map((width) => (
          <div key={width} className="flex items-center gap-6">
            <Skeleton className="h-3.5 w-36" />
            <Skeleton className={`h-3 ${width}`} />
          </div>
        ))}
      </div>
    </Loading>
  );
}
