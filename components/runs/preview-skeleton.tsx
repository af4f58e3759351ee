import { Loading, Skeleton } from "../ui/skeleton";

export const PreviewSkeleton = () => (
  <Loading what="the run" className="grid gap-3 p-4">
    <Skeleton className="h-4 w-32" />
    <Skeleton className="h-12" />
    <Skeleton className="h-7 w-48" />
  </Loading>
);
