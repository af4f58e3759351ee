"use client";

import { useSignInToDemo } from "@/lib/api/hooks/access-hooks";
import type { Role } from "@/lib/engine/access/permission";

/** The demo's users, and what each is good for. */
export const DEMO_PEOPLE: readonly { role: Role; words: string }[] = [
  { role: "viewer", words: "View everything. Change nothing." },
  { role: "operator", words: "Fix failed runs, one by one or in bulk." },
  { role: "admin", words: "Everything an operator can do, plus access." },
];

/** Signs in as one of the demo users and reloads `page`: nothing that another user read stays in memory. */
export function useBeSomebody(page: () => string) {
  const { mutate, isPending, isSuccess, error } = useSignInToDemo();
  const be = (role: Role) => mutate({ role }, { onSuccess: () => location.assign(page()) });
  return { be, isBusy: isPending || isSuccess, error };
}
