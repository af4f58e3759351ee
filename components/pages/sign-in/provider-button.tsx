"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/feedback/callout";
import { useProviderSignIn } from "@/lib/api/hooks/access-hooks";

interface ProviderButtonProps {
  /** The provider's name for users: its host. */
  provider: string;
  /** Parameters for the request; read when pressed, since they may be in the URL. */
  along: () => { next?: string; invitation?: string };
}

/** To the sign-in provider, and back. */
export function ProviderButton({ provider, along }: ProviderButtonProps) {
  const { mutate, isPending, isSuccess, error } = useProviderSignIn();
  return (
    <div className="grid gap-3">
      <Button
        variant="primary"
        disabled={isPending || isSuccess}
        onClick={() => mutate(along(), { onSuccess: ({ url }) => location.assign(url) })}
      >
        <span className="truncate">
          {isPending || isSuccess ? `On the way to ${provider} …` : `Continue with ${provider}`}
        </span>
      </Button>
      {error && (
        <Callout tone="red" role="alert">
          {error.message}
        </Callout>
      )}
    </div>
  );
}

/** Between one way in and another. */
export const Or = () => (
  <p className="my-4 flex items-center gap-3 text-ink-3 text-small before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    or with a password
  </p>
);
