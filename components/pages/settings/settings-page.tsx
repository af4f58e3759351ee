"use client";

import Link from "next/link";
import { TopBar } from "@/components/parts/page/top-bar";
import { Callout } from "@/components/ui/feedback/callout";
import { useMe, useWhyNot } from "@/lib/api/hooks/access-hooks";
import { PeopleCard } from "./people-card";
import { SessionsCard } from "./sessions-card";
import { TokensCard } from "./tokens-card";
import { ViewsCard } from "./views-card";

/** Permissions for those who manage them; saved views and one's own sessions for everyone. */
export function SettingsPage() {
  const { data: me } = useMe();
  const whyNot = useWhyNot("access.manage");
  const notifies = useWhyNot("destination.manage") === null;
  return (
    <>
      <TopBar title="Settings" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls and may hold nothing to focus is scrolled by its keys */}
      <div tabIndex={0} data-ring="inside" className="min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto grid max-w-[1240px] gap-3.5 p-4 md:px-6 md:py-5">
          {me && !me.signIn && (
            <Callout tone="amber" title="Sign-in is off">
              <p className="text-ink-2">
                Anyone who can reach this Handrail has full access. Start it with{" "}
                <code className="font-mono text-small">HANDRAIL_SIGN_IN=on</code>.
              </p>
            </Callout>
          )}
          {me && whyNot === null && <PeopleCard />}
          {me && whyNot === null && <TokensCard />}
          {me && notifies && (
            <p className="text-ink-3">
              Recipients of notifications are set under{" "}
              <Link href="/notifications" className="rounded text-accent underline">
                System, Notifications
              </Link>
              .
            </p>
          )}
          {me && <ViewsCard />}
          {me?.signIn && (whyNot === null || me.sessionId !== null) && <SessionsCard everybodys={whyNot === null} />}
          {me && whyNot !== null && <p className="text-ink-3">{whyNot}</p>}
        </div>
      </div>
    </>
  );
}
