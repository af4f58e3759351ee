import { connection } from "next/server";
import { SetUpForm } from "@/components/pages/sign-in/set-up-form";
import { providerHost } from "@/lib/server";

export const metadata = { title: "Set up" };

export default async function Page() {
  await connection();
  return <SetUpForm provider={providerHost()} />;
}
