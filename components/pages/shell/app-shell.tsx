import type { ReactNode } from "react";
import { LiveProvider } from "@/components/parts/live/live-provider";
import { TroubleInsteadOfLoading } from "@/components/parts/page/no-answer";
import { TabState } from "@/components/parts/page/tab-state";
import { BottomNav } from "./bottom-nav";
import { ConnectionBar } from "./connection-bar";
import { MainRegion } from "./main-region";
import { PrintHead } from "./print-head";
import { ShellWindows } from "./shell-windows";
import { SideNav } from "./side-nav";

/** Navigation at left, or at the foot of a phone; the page scrolls beside it. */
export function AppShell({ banner, children }: { banner?: ReactNode; children: ReactNode }) {
  return (
    <LiveProvider>
      <ShellWindows>
        <a
          href="#main"
          className="-translate-y-16 fixed top-2 left-2 z-50 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0 print:hidden"
        >
          Skip to content
        </a>
        <div className="flex h-dvh flex-col">
          {banner}
          <ConnectionBar />
          <TabState />
          <div className="flex min-h-0 flex-1 max-md:flex-col">
            <SideNav />
            <MainRegion>
              <PrintHead />
              <TroubleInsteadOfLoading>{children}</TroubleInsteadOfLoading>
            </MainRegion>
            <BottomNav />
          </div>
        </div>
      </ShellWindows>
    </LiveProvider>
  );
}
