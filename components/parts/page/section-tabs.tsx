"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useChosenInSight } from "@/components/ui/hooks/use-chosen-in-sight";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import { CountBadge } from "@/components/ui/text/count-badge";
import { COUNT_CAP } from "@/lib/api/contract/caps";
import type { OverviewResponse } from "@/lib/api/contract/responses";
import { overviewQuery } from "@/lib/api/hooks/queries";
import { classNames } from "@/lib/class-names";
import { formatCount } from "@/lib/format";
import { DESTINATIONS, type Destination, existing, type Page } from "./destinations";

/** The page's heading, and links to the other pages of its place in the navigation. */
export function PageTitle({ title }: { title: string }) {
  const pathname = usePathname();
  const section = DESTINATIONS.find(({ pages }) => pages.length > 1 && pages.some(({ href }) => href === pathname));
  if (!section) return <h1 className={TITLE}>{title}</h1>;
  return (
    <>
      {section.name === title ? (
        <h1 className={classNames(TITLE, "shrink-0")}>{title}</h1>
      ) : (
        <>
          <p aria-hidden className={classNames(TITLE, "shrink-0")}>
            {section.name}
          </p>
          <h1 className="sr-only">{title}</h1>
        </>
      )}
      <SectionTabs section={section} pathname={pathname} />
    </>
  );
}

const TITLE = "truncate font-semibold text-title tracking-tight";

/** Beside the title; on a phone in a row beneath it. */
function SectionTabs({ section, pathname }: { section: Destination; pathname: string }) {
  const tabs = useChosenInSight<HTMLElement>(pathname);
  const overview = useOverviewOnceHydrated();
  return (
    <nav
      ref={tabs}
      aria-label={section.name}
      className="scrollbar-none flex h-11 min-w-0 gap-4 overflow-x-auto max-md:order-last max-md:-mx-1 max-md:w-[calc(100%+8px)] max-md:gap-1 md:ml-4 md:h-full"
    >
      {existing(section.pages, overview).map((page) => (
        <Link
          key={page.href}
          href={page.href}
          aria-current={page.href === pathname ? "page" : undefined}
          data-ring="inside"
          className={classNames(
            "flex h-full shrink-0 items-center gap-1.5 border-b-2 px-1 pt-0.5 max-md:min-w-11",
            page.href === pathname
              ? "border-accent font-medium text-ink"
              : "border-transparent text-ink-2 hover:text-ink forced-colors:border-[Canvas]",
          )}
        >
          {page.href === "/" ? "Needs attention" : page.name}
          <Count page={page} overview={overview} />
        </Link>
      ))}
    </nav>
  );
}

/** The navigation, which is live before the tabs, may have read it already. */
function useOverviewOnceHydrated(): OverviewResponse | undefined {
  const { data } = useQuery(overviewQuery());
  return useHydrated() ? data : undefined;
}

function Count({ page, overview }: { page: Page; overview: OverviewResponse | undefined }) {
  const count = overview ? (page.waiting?.(overview) ?? 0) : 0;
  return count > 0 ? <CountBadge text={formatCount(count, COUNT_CAP)} label={page.waitingFor ?? ""} /> : null;
}
