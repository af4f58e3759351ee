"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { useDisplay } from "@/components/parts/theme/display";
import { Button } from "@/components/ui/button";
import { useHydrated } from "@/components/ui/hooks/use-hydrated";
import { Menu, MenuChoice, MenuLine } from "@/components/ui/overlay/menu";

const THEMES = [
  { value: "system", text: "System", icon: <Monitor aria-hidden /> },
  { value: "light", text: "Light", icon: <Sun aria-hidden /> },
  { value: "dark", text: "Dark", icon: <Moon aria-hidden /> },
];

const CONTRASTS = [
  { value: "system", text: "System" },
  { value: "on", text: "More" },
  { value: "off", text: "Normal" },
] as const;
const MOTIONS = [
  { value: "system", text: "System" },
  { value: "on", text: "Off" },
  { value: "off", text: "On" },
] as const;

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const [contrast, setContrast] = useDisplay("contrast");
  const [motion, setMotion] = useDisplay("motion");
  const hydrated = useHydrated();
  const current = THEMES.find(({ value }) => hydrated && value === theme) ?? THEMES[0];
  return (
    <Menu
      align="start"
      trigger={
        <Button variant="ghost" className="[&_svg]:size-[15px]" aria-label={`Theme: ${current?.text}`}>
          {current?.icon}
          Theme
        </Button>
      }
    >
      <MenuChoice
        label="Theme"
        value={hydrated ? (theme ?? "system") : "system"}
        options={THEMES}
        onChange={setTheme}
      />
      <MenuLine />
      <MenuChoice label="Contrast" value={contrast} options={CONTRASTS} onChange={setContrast} />
      <MenuLine />
      <MenuChoice label="Motion" value={motion} options={MOTIONS} onChange={setMotion} />
    </Menu>
  );
}
