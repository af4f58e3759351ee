import { NotificationsPage } from "@/components/pages/settings/notifications-page";
import { AfterHydration } from "@/components/parts/page/after-hydration";
import Loading from "./loading";

export const metadata = { title: "Notifications" };

export default function Page() {
  return (
    <AfterHydration fallback={<Loading />}>
      <NotificationsPage />
    </AfterHydration>
  );
}
