import { RetentionPage } from "@/components/pages/system/retention-page";
import { AfterHydration } from "@/components/parts/page/after-hydration";
import Loading from "./loading";

export const metadata = { title: "Retention" };

export default function Page() {
  return (
    <AfterHydration fallback={<Loading />}>
      <RetentionPage />
    </AfterHydration>
  );
}
