import { SetUpForm } from "@/components/access/set-up-form";

export const metadata = { title: "Set up" };

export default function Page() {
  return <SetUpForm />;
}
