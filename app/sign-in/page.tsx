import { connection } from "next/server";
import { SignInForm } from "@/components/access/sign-in-form";
import { serverEnv } from "@/lib/server";

export const metadata = { title: "Sign in" };

export default async function Page() {
  await connection();
  const { demo, signIn } = serverEnv();
  return <SignInForm demo={demo && signIn} />;
}
