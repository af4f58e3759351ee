import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";

/** Placeholder of an inspector: a status, a sentence, an action. */
export const PreviewSkeleton = ({ what }: { what: string }) => (
  <Loading what={what} className="grid gap-3 p-4">
    <Skeleton className="h-4 w-32" />
    <Skeleton className="h-12" />
    <Skeleton className="h-7 w-48" />
  </Loading>
);
