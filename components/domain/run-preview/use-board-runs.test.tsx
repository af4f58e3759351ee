import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { ListActWindow } from "@/components/domain/actions/list-act-window";
import { showAct } from "@/components/domain/actions/use-open-act";
import { aRun, at } from "@/components/testing/a-run";
import { SIDE_BY_SIDE } from "@/components/ui/hooks/use-media-query";
import { runQuery } from "@/lib/api/hooks/queries";
import { keyOf } from "@/lib/api/hooks/query";
import { ACTIONS } from "@/lib/engine/access/permission";
import { boardHref, boardName, useBoardRuns } from "./use-board-runs";

const went = vi.hoisted(() => vi.fn());
// Test files share their modules: what is mocked is loaded for this one alone.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("next/navigation");
  vi.resetModules();
});
vi.mock("next/navigation", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ push: went }),
}));

afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, "", "/");
});

const run = (id: string) => aRun({ id, finishedAt: at(9), summary: `Result of ${id}` });
const card = (runId: string, step: string) => ({ runId, step, tags: { orderId: `A-${runId}` }, runTitle: null });
/** Two of them ask about one run. */
const CARDS = [card("r1", "charge"), card("r1", "mail"), card("r2", "charge")];

function Board() {
  const { placeOf, beside } = useBoardRuns(CARDS);
  return (
    <>
      {CARDS.map((one) => {
        const { id, selected, onClick } = placeOf(one);
        return (
          <p key={`${one.runId} ${one.step}`} id={id} aria-current={selected || undefined}>
            <a href={boardHref(one)} onClick={onClick}>
              {one.step} of {boardName(one)}
            </a>
          </p>
        );
      })}
      <button type="button" onClick={() => showAct({ act: "cancel" }, { runId: "r1" })}>
        Cancel r1…
      </button>
      <ListActWindow />
      {beside}
    </>
  );
}

function show() {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: query === SIDE_BY_SIDE,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  queryClient.setQueryData(keyOf("/v1/session", {}), { name: "ada", actions: [...ACTIONS], workflows: null });
  queryClient.setQueryData(keyOf("/v1/workflows", {}), { workflows: [] });
  for (const id of ["r1", "r2"]) queryClient.setQueryData(runQuery(id).queryKey, run(id));
  render(
    <QueryClientProvider client={queryClient}>
      <NuqsTestingAdapter hasMemory searchParams="">
        <Board />
      </NuqsTestingAdapter>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const marked = () => [...document.querySelectorAll("[aria-current]")].map(({ textContent }) => textContent);

it("the run of a card is shown beside the board, and keys go from run to run", async () => {
  const user = show();
  await user.click(screen.getByRole("link", { name: "mail of A-r1" }));
  expect(await screen.findByRole("heading", { name: "Result of r1" })).toBeDefined();
  expect(marked()).toEqual(["charge of A-r1", "mail of A-r1"]);
  fireEvent.keyDown(document.body, { key: "j" });
  expect(await screen.findByRole("heading", { name: "Result of r2" })).toBeDefined();
  fireEvent.keyDown(document.body, { key: "Enter" });
  await waitFor(() => expect(went).toHaveBeenCalledWith("/runs/r2?step=charge"));
  fireEvent.keyDown(document.body, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("complementary")).toBeNull());
});

it("the window of a card is not opened again by the run that is shown beside it", async () => {
  const user = show();
  await user.click(screen.getByRole("link", { name: "mail of A-r1" }));
  await screen.findByRole("heading", { name: "Result of r1" });
  await user.click(screen.getByRole("button", { name: "Cancel r1…" }));
  await screen.findByRole("dialog");
  expect(screen.getAllByRole("dialog", { hidden: true })).toHaveLength(1);
});
