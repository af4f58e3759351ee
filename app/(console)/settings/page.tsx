import { redirect } from "next/navigation";
import { SettingsPage } from "@/components/pages/settings/settings-page";
import { AfterHydration } from "@/components/parts/page/after-hydration";
import { PageSkeleton } from "@/components/parts/page/page-skeleton";

export const metadata = { title: "Settings" };

/** Messages that were sent before name a destination here. */
export default async function Page({ searchParams }: PageProps<"/settings">) {
  const { destination } = await searchParams;
  if (typeof destination === "string") redirect(`/notifications?destination=${encodeURIComponent(destination)}`);
  return (
    <AfterHydration fallback={<PageSkeleton title="Settings" />}>
      <SettingsPage />
    </AfterHydration>
  );
}
