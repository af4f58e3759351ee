import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { TopBar } from "./top-bar";

/** Placeholder of a page of cards. */
export function PageSkeleton({ title = "" }: { title?: string }) {
  return (
    <>
      <TopBar title={title} />
      <Loading what={title || "the page"} className="mx-auto grid w-full max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
        <div className="grid h-60 content-start gap-5 rounded-[10px] border border-line bg-panel p-4">
          <Skeleton className="h-4 w-36" />
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-8 w-11/12" />
          <Skeleton className="h-8 w-full" />
        </div>
      </Loading>
    </>
  );
}
