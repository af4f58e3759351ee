"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { useSignIn } from "@/lib/api/hooks/access-hooks";
import { DEMO_PEOPLE, useBeSomebody } from "./demo-people";
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

/** The demo's sign-in: choose a user, without a password. */
function DemoDoor() {
  const { be, isBusy, error } = useBeSomebody(() => nextPage(location.search, location.origin));
  return (
    <div className="mb-4 grid gap-2">
      <p className="text-ink-2">Demo, on this machine only. Continue as:</p>
      {DEMO_PEOPLE.map(({ role, words }) => (
        <Button
          key={role}
          variant={role === "operator" ? "primary" : "secondary"}
          disabled={isBusy}
          aria-label={`Continue as ${role}`}
          aria-describedby={`demo-${role}`}
          onClick={() => be(role)}
          className="h-auto flex-col items-start gap-0 whitespace-normal px-3 py-2 text-left md:h-auto md:px-3"
        >
          <span className="first-letter:uppercase">{role}</span>
          <span id={`demo-${role}`} className="font-normal text-small">
            {words}
          </span>
        </Button>
      ))}
      <p className="mt-3 border-line border-t pt-4 text-ink-3 text-small">
        Or with a name and a password, if you were invited.
      </p>
      {error && (
        <Callout tone="red" role="alert">
          {error.message}
        </Callout>
      )}
    </div>
  );
}
