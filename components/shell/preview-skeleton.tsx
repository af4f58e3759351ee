import { Loading, Skeleton } from "../ui/feedback/skeleton";

/** What an inspector shows until it knows of it: a status, a sentence, an act. */
export const PreviewSkeleton = ({ what }: { what: string }) => (
  <Loading what={what} className="grid gap-3 p-4">
    <Skeleton className="h-4 w-32" />
    <Skeleton className="h-12" />
    <Skeleton className="h-7 w-48" />
  </Loading>
);
