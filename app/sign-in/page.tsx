import { connection } from "next/server";
import { SignInForm } from "@/components/pages/sign-in/sign-in-form";
import { isSignInRefusal, REFUSAL_SENTENCES } from "@/lib/engine/access/provider-claims";
import { providerHost } from "@/lib/server";
import { serverEnv } from "@/lib/server-env";

export const metadata = { title: "Sign in" };

export default async function Page({ searchParams }: PageProps<"/sign-in">) {
  await connection();
  const { demo, signIn } = serverEnv();
  const { refused } = await searchParams;
  const because = isSignInRefusal(refused) ? REFUSAL_SENTENCES[refused] : null;
  return <SignInForm demo={demo && signIn} provider={providerHost()} refused={because} />;
}
