import { SettingsPage } from "@/components/pages/settings/settings-page";
import { AfterHydration } from "@/components/parts/page/after-hydration";
import { PageSkeleton } from "@/components/parts/page/page-skeleton";

export const metadata = { title: "Settings" };

export default function Page() {
  return (
    <AfterHydration fallback={<PageSkeleton title="Settings" />}>
      <SettingsPage />
    </AfterHydration>
  );
}
