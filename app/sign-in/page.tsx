import { SignInForm } from "@/components/access/sign-in-form";

export const metadata = { title: "Sign in" };

export default function Page() {
  return <SignInForm />;
}
