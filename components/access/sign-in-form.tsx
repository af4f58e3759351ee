"use client";

import { type FormEvent, useState } from "react";
import { useSignIn } from "@/lib/api/hooks/access-hooks";
import { Button } from "../ui/button";
import { Callout } from "../ui/callout";
import { TextField } from "../ui/text-field";
import { DemoDoor } from "./demo-door";
import { Door } from "./door";
import { nextPage } from "./next-page";

/** @param demo whether one may be whom one likes, without a password */
export function SignInForm({ demo }: { demo: boolean }) {
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
      <form method="post" onSubmit={submit} className="grid gap-3">
        <TextField
          label="Name"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          required
          autoFocus={!demo}
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
        <Button type="submit" variant={demo ? "secondary" : "primary"} disabled={isPending || isSuccess}>
          {isPending || isSuccess ? "Signing in …" : "Sign in"}
        </Button>
      </form>
    </Door>
  );
}
