import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { Me } from "@/lib/api/contract/access";
import { keyOf } from "@/lib/api/hooks/query";
import { actionsOf, type Role } from "@/lib/engine/access/permission";
import { PermittedButton } from "./permitted-button";

function show(role: Role, workflows: string[] | null = null) {
  const onClick = vi.fn();
  const client = new QueryClient();
  const me: Me = {
    name: "mia",
    kind: "person",
    role,
    actions: [...actionsOf([role])],
    workflows,
    sessionId: null,
    signIn: true,
  };
  client.setQueryData(keyOf("/v1/session", {}), me);
  render(
    <QueryClientProvider client={client}>
      <PermittedButton action="run.rerun" workflow="orders" onClick={onClick}>
        Rerun
      </PermittedButton>
    </QueryClientProvider>,
  );
  return { onClick, button: screen.getByRole("button", { name: "Rerun" }) };
}

it("acts for a user with permission", async () => {
  const { onClick, button } = show("operator");
  await userEvent.click(button);
  expect(onClick).toHaveBeenCalledOnce();
});

it.each([
  ["viewer", null, "It takes the role operator."],
  ["operator", ["invoices"], 'You may not rerun runs of "orders".'],
] as const)("does nothing for a %s bound to %s, can be reached, and says why", async (role, workflows, because) => {
  const { onClick, button } = show(role, workflows && [...workflows]);
  await userEvent.click(button);
  expect(onClick).not.toHaveBeenCalled();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  button.blur();
  await userEvent.tab();
  expect(document.activeElement).toBe(button);
  expect((await screen.findByRole("tooltip")).textContent).toContain(because);
});
