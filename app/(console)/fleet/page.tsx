import { FleetPage } from "@/components/pages/fleet/fleet-page";
import { AfterHydration } from "@/components/parts/page/after-hydration";
import Loading from "./loading";

export const metadata = { title: "Fleet" };

export default function Page() {
  return (
    <AfterHydration fallback={<Loading />}>
      <FleetPage />
    </AfterHydration>
  );
}
