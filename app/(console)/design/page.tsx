import { notFound } from "next/navigation";
import { DesignPage } from "@/components/pages/design/design-page";
import { serverEnv } from "@/lib/server-env";

export const metadata = { title: "Design" };

/** For developers of the console: available in development and in the demo only. */
export default function Page() {
  const { development, demo } = serverEnv();
  if (!development && !demo) notFound();
  return <DesignPage />;
}
