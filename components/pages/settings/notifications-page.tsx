"use client";

import { TopBar } from "@/components/parts/page/top-bar";
import { EmptyState } from "@/components/ui/feedback/empty-state";
import { useMe, useWhyNot } from "@/lib/api/hooks/access-hooks";
import { DestinationsCard } from "./destinations-card";

/** Where messages go when something needs attention. */
export function NotificationsPage() {
  const { data: me } = useMe();
  const whyNot = useWhyNot("destination.manage");
  return (
    <>
      <TopBar title="Notifications" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {me && (whyNot === null ? <DestinationsCard /> : <EmptyState title="Notifications">{whyNot}</EmptyState>)}
        </div>
      </div>
    </>
  );
}
