import type { ReactNode } from "react";
import { QueryFailure } from "@/components/parts/page/query-failure";
import { Loading, Skeleton } from "@/components/ui/feedback/skeleton";
import { Card } from "@/components/ui/layout/card";

interface AccessListProps<Item> {
  title: string;
  query: { data: readonly Item[] | undefined; error: Error | null; refetch: () => unknown };
  empty: string;
  action?: ReactNode;
  /** The item's facts and its actions. */
  children: (item: Item) => ReactNode;
  keyOf: (item: Item) => string;
}

/** A card of users, tokens or sessions. */
export function AccessList<Item>({ title, query, empty, action, children, keyOf }: AccessListProps<Item>) {
  const { data, error, refetch } = query;
  return (
    <Card title={title} note={data?.length} action={action}>
      {data === undefined && error && (
        <QueryFailure what={`the ${title.toLowerCase()}`} error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && !error && (
        <Loading what={`the ${title.toLowerCase()}`} className="p-4">
          <Skeleton className="h-8 w-full" />
        </Loading>
      )}
      {data?.length === 0 && <p className="px-4 pb-4 text-ink-3">{empty}</p>}
      <ul>
        {data?.map((item) => (
          <li
            key={keyOf(item)}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-t px-4 py-2.5"
          >
            {children(item)}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Name above, its facts below. */
export function AccessItem({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="min-w-0 flex-1 basis-40">
      <p className="break-words font-medium">{name}</p>
      <p className="break-words text-ink-3 text-small">{children}</p>
    </div>
  );
}
