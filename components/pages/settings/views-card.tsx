"use client";

import Link from "next/link";
import { DeleteViewDialog } from "@/components/domain/run-views/view-dialogs-later";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import { useSavedViews } from "@/lib/api/hooks/view-hooks";
import { AccessItem, AccessList } from "./access-list";

/** The team's saved views of the runs, and one's own: created and changed on the runs page. */
export function ViewsCard() {
  const { data, error, refetch } = useSavedViews();
  const { open, of, show, close } = useDialogUrl(["delete-view"]);
  const leaving = open && data?.views.find(({ id, mayChange }) => id === of && mayChange);
  return (
    <>
      <AccessList
        title="Saved views"
        query={{ data: data?.views, error, refetch }}
        empty="None yet. Filter the runs, then choose “Save as a view…”."
        keyOf={({ id }) => id}
      >
        {({ id, name, shared, owner, mine, mayChange, updatedAt, updatedBy }) => (
          <>
            <AccessItem
              name={
                <Link href={`/runs?view=${id}`} className="rounded hover:underline">
                  {name}
                </Link>
              }
            >
              {shared ? "team" : "private"}
              {shared && `, saved by ${mine ? "you" : owner}`}, last changed <Instant at={updatedAt} as="relative" />
              {updatedBy !== owner && ` by ${updatedBy}`}
            </AccessItem>
            {mayChange && (
              <Button size="small" aria-label={`Delete the view ${name}`} onClick={() => show("delete-view", {}, id)}>
                Delete…
              </Button>
            )}
          </>
        )}
      </AccessList>
      {leaving && <DeleteViewDialog view={leaving} onDeleted={close} onClose={close} />}
    </>
  );
}
