import { DatabasePage } from "@/components/pages/system/database-page";
import { AfterHydration } from "@/components/parts/page/after-hydration";
import Loading from "./loading";

export const metadata = { title: "Database" };

export default function Page() {
  return (
    <AfterHydration fallback={<Loading />}>
      <DatabasePage />
    </AfterHydration>
  );
}
