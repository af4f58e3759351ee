import { notFound } from "next/navigation";
import { DesignPage } from "@/components/design/design-page";
import { serverEnv } from "@/lib/server-env";

export const metadata = { title: "Design" };

/** For who builds the console: it is there in development and in the demo, and nowhere else. */
export default function Page() {
  const { development, demo } = serverEnv();
  if (!development && !demo) notFound();
  return <DesignPage />;
}
