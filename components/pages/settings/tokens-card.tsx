"use client";

import { useState } from "react";
import { workflowWords } from "@/components/domain/access/workflows-field";
import { Instant } from "@/components/parts/time/instant";
import { useNow } from "@/components/parts/time/use-now";
import { Button } from "@/components/ui/button";
import { useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { TokenListResponse } from "@/lib/api/contract/access";
import { useRevokeToken, useTokens } from "@/lib/api/hooks/access-hooks";
import { AccessItem, AccessList } from "./access-list";
import { MintTokenDialog } from "./mint-token-dialog";
import { RevokeDialog } from "./revoke-dialog";
import { ShownOnce } from "./shown-once";

type Token = TokenListResponse["tokens"][number];

export function TokensCard() {
  const { data, error, refetch } = useTokens();
  const { open, of, show, close } = useDialogUrl(["mint", "revoke"]);
  const revoking = open === "revoke" && data?.tokens.find(({ id, revokedAt }) => id === of && revokedAt === null);
  const [minted, setMinted] = useState<{ secret: string | null } | null>(null);
  const revoke = useRevokeToken();
  return (
    <>
      <AccessList
        title="Tokens"
        query={{ data: data?.tokens, error, refetch }}
        empty="No tokens yet."
        action={
          <Button size="small" onClick={() => show("mint")}>
            Create token…
          </Button>
        }
        keyOf={({ id }) => id}
      >
        {(token) => <TokenItem token={token} onRevoke={() => show("revoke", {}, token.id)} />}
      </AccessList>
      {open === "mint" && (
        <MintTokenDialog
          onClose={close}
          onMinted={(minted) => {
            close();
            setMinted(minted);
          }}
        />
      )}
      {minted && (
        <ShownOnce
          title="The token"
          note="Programs send it as: Authorization: Bearer TOKEN. It is not stored and cannot be shown again."
          secret={minted.secret}
          what="the token"
          onClose={() => setMinted(null)}
        />
      )}
      {revoking && (
        <RevokeDialog
          id={revoking.id}
          title={`Revoke ${revoking.name}`}
          description="Programs that use it are refused from their next request on."
          submit="Revoke the token"
          done="Token revoked"
          mutation={revoke}
          onClose={close}
        />
      )}
    </>
  );
}

function TokenItem({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  const now = useNow();
  const isExpired = now !== null && Date.parse(token.expiresAt) <= now;
  const over = token.revokedAt !== null ? "revoked" : isExpired ? "expired" : null;
  return (
    <>
      <AccessItem name={token.name}>
        {token.scopes.join(", ")}, {workflowWords(token.workflows)}; created by {token.createdBy},{" "}
        {over ?? (
          <>
            expires <Instant at={token.expiresAt} />
          </>
        )}
        {token.usedAt && (
          <>
            , last used <Instant at={token.usedAt} as="relative" />
          </>
        )}
      </AccessItem>
      {over === null && (
        <Button size="small" aria-label={`Revoke ${token.name}`} onClick={onRevoke}>
          Revoke…
        </Button>
      )}
    </>
  );
}
