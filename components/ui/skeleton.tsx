import { classNames } from "@/lib/class-names";

/** A place that is being filled; size it like what will stand there. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-pulse rounded bg-gray-soft", className)} />;
}

/** Wraps skeletons: says once what they stand for. */
export function Loading({
  what,
  children,
  className,
}: {
  what: string;
  children: React.ReactNode;
  className?: string;
}) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">Loading {what}</span>
      {children}
    </div>
  );
}
