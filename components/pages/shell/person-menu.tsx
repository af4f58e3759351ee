"use client";

import { CircleUser, LogOut, Settings } from "lucide-react";
import { useRouter } from "next/navigation";
import { forgetRecent } from "@/components/parts/palette/recent";
import { Button } from "@/components/ui/button";
import { Menu, MenuItem } from "@/components/ui/overlay/menu";
import { useMe, useSignOut } from "@/lib/api/hooks/access-hooks";

/** The signed-in user and sign-out. Renders nothing where there is no sign-in. */
export function PersonMenu({ onNavigate = () => undefined }: { onNavigate?: () => void }) {
  const { data: me } = useMe();
  const signOut = useSignOut();
  const router = useRouter();
  if (!me?.signIn) return null;
  const leave = () => {
    forgetRecent();
    signOut.mutate(undefined, { onSettled: () => location.assign("/sign-in") });
  };
  const openSettings = () => {
    onNavigate();
    router.push("/settings");
  };
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="ghost" className="min-w-0 max-w-full justify-start" aria-label={`You are ${me.name}`}>
          <CircleUser aria-hidden className="size-[15px] shrink-0" />
          <span className="truncate">{me.name}</span>
          {me.role && me.role !== me.name && <span className="text-ink-3 text-small">{me.role}</span>}
        </Button>
      }
    >
      <MenuItem icon={<Settings aria-hidden />} onSelect={openSettings} note="Sessions, people and tokens">
        Settings
      </MenuItem>
      <MenuItem icon={<LogOut aria-hidden />} onSelect={leave}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
