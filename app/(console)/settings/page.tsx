import { SettingsPage } from "@/components/access/settings-page";
import { AfterHydration } from "@/components/shell/after-hydration";
import { PageSkeleton } from "@/components/shell/page-skeleton";

export const metadata = { title: "Settings" };

export default function Page() {
  return (
    <AfterHydration fallback={<PageSkeleton title="Settings" />}>
      <SettingsPage />
    </AfterHydration>
  );
}
