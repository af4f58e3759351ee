import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { Toaster } from "sonner";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IntakeDialog } from "@/components/pages/workflows/intake-dialog";
import { ApiError } from "@/lib/api/client/client";
import type { WorkflowView } from "@/lib/api/contract/responses";
import { tell, tellOtherwise, tellRefusal } from "./tell";

/** What shows them is loaded when it is first needed. */
const PATIENCE = { timeout: 10_000 };

interface Sent {
  path: string;
  key: string | null;
  body: unknown;
}
let sent: Sent[];
let answer: (path: string) => Response;
beforeEach(() => {
  sent = [];
  answer = () => Response.json({});
  vi.stubGlobal("fetch", async (path: string, { method, headers, body }: RequestInit) => {
    if (method !== "POST") return new Promise(() => undefined);
    sent.push({ path, key: new Headers(headers).get("idempotency-key"), body: JSON.parse(String(body)) });
    return answer(path);
  });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  const { toast } = await import("sonner");
  toast.dismiss();
});

const workflow = { name: "order", title: "Order", running: 0, backlog: 0, intake: null } as unknown as WorkflowView;

function Closing() {
  const [open, setOpen] = useState(true);
  return open && <IntakeDialog workflow={workflow} onClose={() => setOpen(false)} />;
}

async function closeTheIntake() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Closing />
      <Toaster />
    </QueryClientProvider>,
  );
  await userEvent.type(await screen.findByLabelText(/^Reason/, {}, PATIENCE), "a bad deploy");
  await userEvent.click(screen.getByRole("button", { name: "Pause new runs" }));
  expect(await screen.findByText("New runs of Order are paused", {}, PATIENCE)).toBeTruthy();
}

const undo = () => screen.getByRole("button", { name: "Undo" });

describe("a mild act", () => {
  it("is reverted by its inverse, as a separate action, once", async () => {
    await closeTheIntake();
    await userEvent.dblClick(undo());
    expect(await screen.findByText("New runs of Order resumed", {}, PATIENCE)).toBeTruthy();
    const [closing, ...openings] = sent;
    expect(closing?.path).toBe("/api/v1/workflows/order/intake/closure");
    expect(openings[0]).toMatchObject({
      path: "/api/v1/workflows/order/intake/opening",
      body: { reason: "Reverted with Undo." },
    });
    expect(new Set(openings.map(({ key }) => key)).size).toBe(1);
    expect(openings[0]?.key).not.toBe(closing?.key);
  });

  it("that can no longer be taken back says why, with the request's id", async () => {
    await closeTheIntake();
    const error = { code: "not_allowed", message: "The intake is open already.", details: {}, requestId: "req-77" };
    answer = () => Response.json({ error }, { status: 409 });
    await userEvent.click(undo());
    expect(await screen.findByText("The intake is open already.", {}, PATIENCE)).toBeTruthy();
    expect(screen.getByText("req-77")).toBeTruthy();
  });
});

describe("what a toast says", () => {
  it("names the thing and leads to it, unless one is there, and is read out politely", async () => {
    history.replaceState(null, "", "/runs");
    render(<Toaster />);
    tell("The run is paused", { about: { name: "A-17", href: "/runs/1" } });
    const link = await screen.findByRole("link", { name: "A-17" }, PATIENCE);
    expect(link.getAttribute("href")).toBe("/runs/1");
    expect(link.closest("section")?.getAttribute("aria-live")).toBe("polite");
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    history.replaceState(null, "", "/runs/1");
    tell("The run goes on", { about: { name: "B-18", href: "/runs/1" }, description: "with it." });
    expect(await screen.findByText(/B-18.*with it\./, {}, PATIENCE)).toBeTruthy();
    expect(screen.queryByRole("link", { name: "B-18" })).toBeNull();
  });

  it("tells what came otherwise, and what was refused", async () => {
    render(<Toaster />);
    const act = vi.fn();
    tellOtherwise("Changed since", { next: { label: "Look again", act } });
    await userEvent.click(await screen.findByRole("button", { name: "Look again" }, PATIENCE));
    await waitFor(() => expect(act).toHaveBeenCalledOnce());
    tellRefusal(new ApiError("forbidden", "You may not pause runs.", 403, "req-9"));
    expect(await screen.findByText("You may not pause runs.", {}, PATIENCE)).toBeTruthy();
    expect(screen.getByText("req-9")).toBeTruthy();
  });
});
