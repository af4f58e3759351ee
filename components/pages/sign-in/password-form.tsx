"use client";

import { type ComponentProps, type FormEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { TextField } from "@/components/ui/form/text-field";

type FieldProps = Omit<ComponentProps<typeof TextField>, "label" | "value" | "onChange">;

interface PasswordFormProps {
  name: FieldProps;
  password: FieldProps;
  submit: ReactNode;
  /** Whether another sign-in method is shown above this one. */
  second: boolean;
  /** Until the navigation. */
  pending: boolean;
  error: Error | null;
  onSubmit: (given: { name: string; password: string }) => void;
}

/** A name and a password, marked up as browsers and password managers expect. */
export function PasswordForm({ name, password, submit, second, pending, error, onSubmit }: PasswordFormProps) {
  const [given, setGiven] = useState({ name: "", password: "" });
  const field = (part: keyof typeof given) => ({
    value: given[part],
    onChange: ({ target }: { target: { value: string } }) => setGiven({ ...given, [part]: target.value }),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(given);
  };
  return (
    <form method="post" onSubmit={send} className="grid gap-3">
      <TextField
        label="Name"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        maxLength={100}
        {...name}
        {...field("name")}
      />
      <TextField label="Password" type="password" required maxLength={200} {...password} {...field("password")} />
      {error && (
        <Callout tone="red" role="alert">
          {error.message}
        </Callout>
      )}
      <Button type="submit" variant={second ? "secondary" : "primary"} disabled={pending}>
        {submit}
      </Button>
    </form>
  );
}
