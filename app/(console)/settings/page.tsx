import { SettingsPage } from "@/components/access/settings-page";

export const metadata = { title: "Settings" };

export default function Page() {
  return <SettingsPage />;
}
