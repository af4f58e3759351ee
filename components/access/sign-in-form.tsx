"use client";

import { type FormEvent, useState } from "react";
import { useSignIn } from "@/lib/api/hooks/access-hooks";
import { Button } from "../ui/button";
import { Callout } from "../ui/callout";
import { TextField } from "../ui/text-field";
import { DemoDoor } from "./demo-door";
import { Door } from "./door";
import { nextPage } from "./next-page";
import { Or, ProviderButton } from "./provider-button";

interface SignInFormProps {
  /** Whether one may be whom one likes, without a password. */
  demo: boolean;
  /** The host of the sign-in provider; null where there is none. */
  provider: string | null;
  /** Why somebody who came back from there was not let in. */
  refused: string | null;
}

export function SignInForm({ demo, provider, refused }: SignInFormProps) {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const { mutate, isPending, isSuccess, error } = useSignIn();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A whole new page: nothing that was read for somebody else stays in memory.
    mutate({ name, password }, { onSuccess: () => location.assign(nextPage(location.search, location.origin)) });
  };
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
      <form method="post" onSubmit={submit} className="grid gap-3">
        <TextField
          label="Name"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          required
          autoFocus={!demo && !provider}
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          required
          maxLength={200}
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        {error && (
          <Callout tone="red" role="alert">
            {error.message}
          </Callout>
        )}
        <Button type="submit" variant={demo || provider ? "secondary" : "primary"} disabled={isPending || isSuccess}>
          {isPending || isSuccess ? "Signing in …" : "Sign in"}
        </Button>
      </form>
    </Door>
  );
}
