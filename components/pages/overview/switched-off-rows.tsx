import Link from "next/link";
import { StatusLabel } from "@/components/parts/status/status-label";
import { Instant } from "@/components/parts/time/instant";
import { Button } from "@/components/ui/button";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { useWhyNot } from "@/lib/api/hooks/access-hooks";

/** Destinations that are no longer notified: an operator has to repair the receiver and switch it on again. */
export function SwitchedOffRows({ destinations }: { destinations: OverviewResponse["switchedOffDestinations"] }) {
  const whyNot = useWhyNot("destination.manage");
  return destinations.map(({ id, name, because, failingSince }) => (
    <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t py-2.5 first:border-t-0">
      <StatusLabel look={{ shape: "person", word: "Notifications off", tone: "red" }} shapeOnly />
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">Notifications to {name} are switched off</p>
        <p className="break-words text-ink-3 text-small">
          {because}
          {failingSince !== null && (
            <>
              {" "}
              Failing since <Instant at={failingSince} />.
            </>
          )}{" "}
          {whyNot ?? "Repair the receiver and switch it on again, or confirm that it stays off."}
        </p>
      </div>
      {whyNot === null && (
        <Button asChild className="max-md:flex-1">
          <Link href={`/notifications?destination=${id}`} aria-label={`View ${name} in Notifications`}>
            View destination
          </Link>
        </Button>
      )}
    </li>
  ));
}
