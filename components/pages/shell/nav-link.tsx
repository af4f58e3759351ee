"use client";

import { useQuery } from "@tanstack/react-query";
import Link, { useLinkStatus } from "next/link";
import { usePathname } from "next/navigation";
import { type Destination, isAt } from "@/components/parts/page/destinations";
import { Spinner } from "@/components/ui/feedback/spinner";
import { CountBadge } from "@/components/ui/text/count-badge";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { formatCount } from "@/lib/format";

interface NavLinkProps {
  destination: Destination;
  /** `tab` is an entry of the bar at the foot of a phone. */
  look: "row" | "tab";
  onNavigate?: () => void;
}

export function NavLink({ destination, look, onNavigate }: NavLinkProps) {
  const pathname = usePathname();
  const [first] = destination.pages;
  const here = destination.pages.some(({ href }) => isAt(pathname, href));
  const Icon = destination.icon;
  return (
    <Link
      href={first.href}
      aria-current={pathname === first.href ? "page" : here ? "true" : undefined}
      onClick={onNavigate}
      className={classNames(
        "relative flex items-center transition-colors",
        look === "row" && "h-11 gap-2.5 rounded-md px-2 hover:bg-gray-soft md:h-[30px]",
        look === "tab" && "flex-1 flex-col justify-center gap-0.5 text-micro",
        here ? "font-medium text-ink" : "text-ink-2 hover:text-ink",
        here && look === "row" && "bg-gray-soft",
      )}
    >
      <PressedIcon icon={Icon} className={look === "row" ? "size-[15px]" : "size-5"} />
      {destination.name}
      <WaitingCount destination={destination} look={look} />
    </Link>
  );
}

/** Turns from the press until the page is there. */
function PressedIcon({ icon: Icon, className }: { icon: Destination["icon"]; className: string }) {
  return useLinkStatus().pending ? (
    <Spinner className={className} />
  ) : (
    <Icon aria-hidden strokeWidth={1.7} className={className} />
  );
}

function WaitingCount({ destination, look }: { destination: Destination; look: NavLinkProps["look"] }) {
  const { data } = useQuery(overviewQuery());
  const count = data ? (destination.waiting?.(data) ?? 0) : 0;
  if (!data || count === 0) return null;
  return (
    <CountBadge
      tone={destination.urgent?.(data) ? "red" : "gray"}
      text={formatCount(count, COUNT_CAP)}
      label={destination.waitingFor ?? ""}
      className={look === "row" ? "ml-auto" : "absolute top-0.5 left-[calc(50%+7px)] leading-4"}
    />
  );
}
