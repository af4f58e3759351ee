import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";

const ROWS = ["w-40", "w-56", "w-32", "w-48", "w-40", "w-52", "w-36", "w-44", "w-48", "w-40"];

export function RunsSkeleton() {
  return (
    <Loading what="runs" className="px-4 pt-[30px] md:px-6">
      {ROWS.map((width, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of nothing have no other name
        <div key={row} className="flex h-[84px] items-center gap-6 border-line border-b md:h-[34px]">
          <Skeleton className="size-3.5 shrink-0 rounded-full" />
          <Skeleton className={`h-3.5 ${width}`} />
          <Skeleton className="h-3.5 w-24 max-md:hidden" />
          <Skeleton className="ml-auto h-3.5 w-16" />
        </div>
      ))}
    </Loading>
  );
}
