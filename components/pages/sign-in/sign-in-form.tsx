"use client";

import { Callout } from "@/components/ui/feedback/callout";
import { useSignIn } from "@/lib/api/hooks/access-hooks";
import { DemoDoor } from "./demo-door";
import { Door } from "./door";
import { nextPage } from "./next-page";
import { PasswordForm } from "./password-form";
import { Or, ProviderButton } from "./provider-button";

interface SignInFormProps {
  /** Whether any user may be chosen, without a password. */
  demo: boolean;
  /** The host of the sign-in provider; null where there is none. */
  provider: string | null;
  /** Why the provider's sign-in was refused. */
  refused: string | null;
}

export function SignInForm({ demo, provider, refused }: SignInFormProps) {
  const { mutate, isPending, isSuccess, error } = useSignIn();
  const isLeaving = isPending || isSuccess;
  return (
    <Door title="Sign in">
      {demo && <DemoDoor />}
      {refused && (
        <Callout tone="red" role="alert" className="mb-4">
          {refused}
        </Callout>
      )}
      {provider && (
        <>
          <ProviderButton provider={provider} along={() => ({ next: nextPage(location.search, location.origin) })} />
          <Or />
        </>
      )}
      <PasswordForm
        name={{ required: true, autoFocus: !demo && !provider }}
        password={{ name: "password", autoComplete: "current-password" }}
        submit={isLeaving ? "Signing in …" : "Sign in"}
        second={demo || provider !== null}
        pending={isLeaving}
        error={error}
        // A full page load: nothing that another user read stays in memory.
        onSubmit={(given) =>
          mutate(given, { onSuccess: () => location.assign(nextPage(location.search, location.origin)) })
        }
      />
    </Door>
  );
}
