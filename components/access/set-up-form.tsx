"use client";

import { type FormEvent, useState } from "react";
import { useSetUp } from "@/lib/api/hooks/access-hooks";
import { Button } from "../ui/button";
import { Callout } from "../ui/callout";
import { TextField } from "../ui/text-field";
import { Door } from "./door";
import { Or, ProviderButton } from "./provider-button";

/** The part of the address that is sent to nobody. */
const secretOf = ({ hash }: Location) => hash.slice(1) || "none";

/** Uses a link: the first admin's of all, or an invitation, which has a name already. */
export function SetUpForm({ provider }: { provider: string | null }) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { mutate, isPending, isSuccess, error } = useSetUp();
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
      <form method="post" onSubmit={submit} className="grid gap-3">
        <TextField
          label="Name"
          hint="Leave it out if you were invited by one."
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Password"
          hint="12 characters or more."
          type="password"
          name="new-password"
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={200}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {error && (
          <Callout tone="red" role="alert">
            {error.message}
          </Callout>
        )}
        <Button type="submit" variant={provider ? "secondary" : "primary"} disabled={isPending || isSuccess}>
          Set the password and sign in
        </Button>
      </form>
    </Door>
  );
}
