"use client";

import { useSetUp } from "@/lib/api/hooks/access-hooks";
import { Door } from "./door";
import { PasswordForm } from "./password-form";
import { Or, ProviderButton } from "./provider-button";

/** The fragment of the URL: browsers do not send it to the server. */
const secretOf = ({ hash }: Location) => hash.slice(1) || "none";

/** Redeems a link: the first admin's, or an invitation, which has a name already. */
export function SetUpForm({ provider }: { provider: string | null }) {
  const { mutate, isPending, isSuccess, error } = useSetUp();
  const submit = ({ name, password }: { name: string; password: string }) => {
    const given = name.trim() === "" ? {} : { name };
    mutate({ secret: secretOf(location), password, ...given }, { onSuccess: () => location.replace("/") });
  };
  return (
    <Door title={provider ? "Choose how to sign in" : "Choose a password"}>
      {provider && (
        <>
          <ProviderButton provider={provider} along={() => ({ invitation: secretOf(location) })} />
          <Or />
        </>
      )}
      <PasswordForm
        name={{ hint: "Leave it out if you were invited by one." }}
        password={{
          ...{ name: "new-password", autoComplete: "new-password", minLength: 12 },
          hint: "12 characters or more.",
        }}
        submit="Set the password and sign in"
        second={provider !== null}
        pending={isPending || isSuccess}
        error={error}
        onSubmit={submit}
      />
    </Door>
  );
}
