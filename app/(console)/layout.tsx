import { connection } from "next/server";
import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { askerOfPage } from "@/lib/api/page";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  await connection();
  await askerOfPage();
  return <AppShell>{children}</AppShell>;
}
