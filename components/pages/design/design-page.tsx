"use client";

import { TopBar } from "@/components/parts/page/top-bar";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import { Controls } from "./controls";
import { Languages } from "./languages";
import { Tellers } from "./tellers";
import { Tokens } from "./tokens";

/** Every component of the console in every state: check here after a change. */
export function DesignPage() {
  // Each bar has its width, and the pages' policy accepts no style from server-rendered HTML.
  const hydrated = useHydrated();
  return (
    <>
      <TopBar title="Design" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {hydrated && (
            <>
              <Tokens />
              <Languages />
              <Controls />
              <Tellers />
            </>
          )}
        </div>
      </div>
    </>
  );
}
