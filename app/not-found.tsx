import { BrandMark } from "@/components/parts/page/brand";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/feedback/empty-state";

export const metadata = { title: "Nothing here" };

export default function NotFound() {
  return (
    <main className="grid h-dvh place-items-center">
      <h1 className="sr-only">Nothing here</h1>
      <EmptyState
        icon={<BrandMark className="size-9" />}
        title="There is nothing at this address"
        action={
          <Button asChild variant="primary">
            {/* A plain link: with Link, every page would load Link's code for this one. */}
            <a href="/">Inbox</a>
          </Button>
        }
      >
        The link may be old, or the address mistyped.
      </EmptyState>
    </main>
  );
}
