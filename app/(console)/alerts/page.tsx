import { AlertsPage } from "@/components/pages/alerts/alerts-page";
import { AfterHydration } from "@/components/parts/page/after-hydration";
import Loading from "./loading";

export const metadata = { title: "Alerts" };

export default function Page() {
  return (
    <AfterHydration fallback={<Loading />}>
      <AlertsPage />
    </AfterHydration>
  );
}
