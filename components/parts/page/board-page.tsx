import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { QueryFailure } from "./query-failure";
import { TopBar } from "./top-bar";

/** A query of one answer, or of pages of them. */
interface BoardQuery<Data> {
  data: Data | undefined;
  error: Error | null;
  refetch: () => unknown;
  hasNextPage?: boolean;
  fetchNextPage?: () => unknown;
  isFetchingNextPage?: boolean;
}

interface BoardPageProps<Data> {
  title: string;
  query: BoardQuery<Data>;
  /** Shown in every state of the query, such as filters. */
  above?: ReactNode;
  /** The selected item's inspector. */
  beside?: ReactNode;
  /** The cards, or the empty state. */
  children: (data: Data) => ReactNode;
}

/** A page of cards under its title: loading, failed, loaded, and with more to load. */
export function BoardPage<Data>({ title, query, above, beside, children }: BoardPageProps<Data>) {
  return (
    <>
      <TopBar title={title} />
      <div className="flex min-h-0 flex-1">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
        <div tabIndex={0} data-ring="inside" className="min-w-0 flex-1 overflow-y-auto">
          <div className="@container mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
            {above}
            <Board what={`the ${title.toLowerCase()}`} query={query}>
              {children}
            </Board>
          </div>
        </div>
        {beside}
      </div>
    </>
  );
}

function Board<Data>({ what, query, children }: Pick<BoardPageProps<Data>, "query" | "children"> & { what: string }) {
  const { data, error, refetch, hasNextPage = false, fetchNextPage, isFetchingNextPage = false } = query;
  if (data === undefined && error) return <QueryFailure what={what} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <BoardSkeleton what={what} />;
  return (
    <>
      {children(data)}
      {hasNextPage && fetchNextPage && (
        <Button className="justify-self-center" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          More
        </Button>
      )}
    </>
  );
}

export function BoardSkeleton({ what }: { what: string }) {
  return (
    <Loading what={what} className="grid gap-4 rounded-[10px] border border-line bg-panel p-4">
      <Skeleton className="h-4 w-24" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-full" />
    </Loading>
  );
}
