import { connection } from "next/server";
import type { ReactNode } from "react";
import { AppShell } from "@/components/pages/shell/app-shell";
import { DemoBanner } from "@/components/pages/sign-in/demo-banner";
import { askerOfPage } from "@/lib/api/pages/page";
import { serverEnv } from "@/lib/server-env";

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  await connection();
  const asker = await askerOfPage();
  const { demo, signIn } = serverEnv();
  return (
    <AppShell banner={demo && <DemoBanner person={signIn && asker ? { name: asker.name, role: asker.role } : null} />}>
      {children}
    </AppShell>
  );
}
