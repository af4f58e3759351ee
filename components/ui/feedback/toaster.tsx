"use client";

import { useTheme } from "next-themes";
import { Toaster as Sonner, type ToasterProps } from "sonner";

export function Toaster() {
  const { resolvedTheme } = useTheme();
  return (
    <Sonner
      theme={resolvedTheme === "dark" ? "dark" : "light"}
      position="bottom-right"
      mobileOffset={{ bottom: 72 }}
      closeButton
      style={
        {
          "--normal-bg": "var(--panel)",
          "--normal-border": "var(--line-strong)",
          "--normal-text": "var(--ink)",
          fontFamily: "inherit",
        } as ToasterProps["style"] & object
      }
      toastOptions={{ classNames: { description: "text-ink-2!" } }}
    />
  );
}
