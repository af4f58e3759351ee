import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { aRun, aStep } from "@/components/testing/a-run";
import { showWindow, useDialogUrl } from "@/components/ui/overlay/use-dialog-url";
import type { Run } from "@/lib/api/contract/run";
import { keyOf } from "@/lib/api/hooks/query";
import { ACTIONS, actionsOf } from "@/lib/engine/access/permission";
import { ListActWindow } from "./list-act-window";
import { RunActs } from "./run-acts";
import { showAct } from "./use-open-act";

/** Dialogs are loaded on first use, and a machine may be busy. */
const PATIENCE = { timeout: 10_000 };

beforeEach(() => {
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  history.replaceState(null, "", "/runs/1");
});
afterEach(() => vi.unstubAllGlobals());

const run = aRun({
  status: "failed",
  failedStep: "charge",
  primaryAct: "rerun",
  acts: [
    { act: "rerun", open: true, because: null },
    { act: "pause", open: false, because: "The run has ended (failed)." },
    { act: "settle", open: true, because: null },
  ],
  steps: [aStep("create-order", 0, { kind: "transaction" }), aStep("charge", 1, { status: "failed" })],
} as Partial<Run>);

function show(address: string, actions: readonly string[] = ACTIONS) {
  history.replaceState(null, "", address);
  const queryClient = new QueryClient();
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions, workflows: null });
  queryClient.setQueryData(keyOf("/v1/workflows", {}), { workflows: [] });
  render(
    <QueryClientProvider client={queryClient}>
      <RunActs run={run} />
    </QueryClientProvider>,
  );
}

const goBack = () =>
  act(async () => {
    const gone = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    history.back();
    await gone;
  });

describe("a link to the window of an act", () => {
  it("opens it, with what it says about it, and closing takes that out of the address", async () => {
    show("/runs/1?tab=logs&act=settle&on=charge&as=skip");
    expect(await screen.findByRole("dialog", {}, PATIENCE)).toBeTruthy();
    expect(screen.getByRole("radio", { name: /^Skip/, checked: true })).toBeTruthy();
    fireEvent.click(screen.getAllByRole("button", { name: "Close" })[0] as HTMLElement);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(location.pathname + location.search).toBe("/runs/1?tab=logs");
  });

  it("of a closed act says why it is closed", async () => {
    show("/runs/1?act=pause");
    expect(await screen.findByText("The run has ended (failed).", {}, PATIENCE)).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Pause the run" })).toBeNull();
  });

  it("of an act that there is not opens nothing", () => {
    show("/runs/1?act=explode&on=charge");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("does not open a rerun from a chosen step without the permission to rerun", async () => {
    run.acts[0] = { act: "rerun", open: false, because: "You may not rerun runs. It takes the role operator." };
    show("/runs/1?act=rerun&on=charge", [...actionsOf(["viewer"])]);
    expect(await screen.findByText(/You may not rerun runs/, {}, PATIENCE)).toBeTruthy();
    run.acts[0] = { act: "rerun", open: true, because: null };
  });
});

describe("a window that is opened", () => {
  it("is in the address, and Back closes it", async () => {
    show("/runs/1");
    fireEvent.click(screen.getByRole("button", { name: "Rerun from charge…" }));
    expect(await screen.findByRole("dialog", {}, PATIENCE)).toBeTruthy();
    expect(location.search).toBe("?act=rerun");
    await goBack();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(location.search).toBe("");
  });

  it("is that of one thing of a list, and of no other", () => {
    const Item = ({ of }: { of: string }) => {
      const { open, as, show } = useDialogUrl(["look"], of);
      return (
        <button type="button" onClick={() => show("look", { as: "x" })}>
          {`${of}: ${open ? `open ${as}` : "closed"}`}
        </button>
      );
    };
    render(["a", "b"].map((of) => <Item key={of} of={of} />));
    fireEvent.click(screen.getByText("b: closed"));
    expect(screen.getByText("b: open x")).toBeTruthy();
    expect(screen.getByText("a: closed")).toBeTruthy();
    expect(location.search).toBe("?act=look&of=b&as=x");
  });

  it("goes with the row that drew it, and leaves a way to another page alone", async () => {
    const Row = ({ onClose }: { onClose: (close: () => void) => void }) => {
      const { open, show, close } = useDialogUrl(["look"], "a");
      onClose(close);
      return (
        <button type="button" onClick={() => show("look")}>
          {open ? "open" : "closed"}
        </button>
      );
    };
    let close = () => {};
    const keep = (given: () => void) => {
      close = given;
    };
    const { rerender, unmount } = render(<Row onClose={keep} />);
    fireEvent.click(screen.getByText("closed"));
    rerender(<Row key="moved to another list" onClose={keep} />);
    await Promise.resolve();
    expect(location.search).toBe("?act=look&of=a");
    unmount();
    await Promise.resolve();
    expect(location.search).toBe("");

    const write = vi.spyOn(history, "replaceState");
    showWindow("look", {}, "b"); // meanwhile of another row
    close();
    expect(write).not.toHaveBeenCalled();
    expect(location.search).toBe("?act=look&of=b");
    write.mockRestore();
  });
});

describe("the window of an act on a run of a list", () => {
  it("stays while its row goes", async () => {
    history.replaceState(null, "", "/compensations");
    const queryClient = new QueryClient();
    queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions: [...ACTIONS], workflows: null });
    queryClient.setQueryData(keyOf("/v1/workflows", {}), { workflows: [] });
    const List = ({ rows }: { rows: string[] }) => (
      <QueryClientProvider client={queryClient}>
        {rows.map((runId) => (
          <button key={runId} type="button" onClick={() => showAct({ act: "cancel" }, { runId })}>
            Cancel…
          </button>
        ))}
        <ListActWindow />
      </QueryClientProvider>
    );
    const { rerender } = render(<List rows={["1"]} />);
    fireEvent.click(screen.getByText("Cancel…"));
    expect(await screen.findByRole("dialog", {}, PATIENCE)).toBeTruthy();
    rerender(<List rows={[]} />);
    expect(screen.getByRole("dialog")).toBeTruthy();
    expect(location.search).toBe("?act=cancel&of=1");
  });
});
