import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { keyOf } from "@/lib/api/hooks/query";
import { SwitchedOffRows } from "./switched-off-rows";

const OFF = {
  id: "019aa5e0-0000-7000-8000-00000000000d",
  name: "on call",
  because: "Nothing could be delivered for 3 days.",
  failingSince: null,
};

function show(actions: string[]) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions, workflows: null });
  return render(
    <QueryClientProvider client={queryClient}>
      <ul>
        <SwitchedOffRows destinations={[OFF]} />
      </ul>
    </QueryClientProvider>,
  );
}

it("links a user who may repair a switched-off destination to it, and names that role to others", () => {
  const { unmount } = show(["destination.manage"]);
  expect(screen.getByRole("link", { name: "View on call in Notifications" }).getAttribute("href")).toBe(
    `/notifications?destination=${OFF.id}`,
  );
  unmount();
  show([]);
  expect(screen.queryByRole("link")).toBeNull();
  expect(screen.getByText(/Nothing could be delivered for 3 days\..*manage notification destinations/)).toBeTruthy();
});
