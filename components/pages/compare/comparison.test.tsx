import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { NuqsTestingAdapter } from "nuqs/adapters/testing";
import { describe, expect, it } from "vitest";
import { aRun, aStep } from "@/components/testing/a-run";
import type { Run } from "@/lib/api/contract/run";
import { Comparison } from "./comparison";

const OTHER = "019aa5e0-0000-7000-8000-000000000002";
const show = (here: Partial<Run>, there: Partial<Run>) =>
  render(
    <NuqsTestingAdapter>
      <Comparison here={aRun(here)} there={aRun({ id: OTHER, ...there })} choice="The other one" />
    </NuqsTestingAdapter>,
  );
const a = aStep("create-order", 1, { output: { id: "A-1" } });
const failed = aStep("charge", 2, { status: "failed", error: { name: "Declined", message: "no money" } });

describe("two runs side by side", () => {
  it("say where they part, and fold what is alike", async () => {
    show(
      {
        steps: [a, failed],
        input: { orderId: "A-1", card: { $type: "masked" } },
        status: "failed",
        attention: "failed",
      },
      { steps: [a, aStep("charge", 2)], input: { orderId: "A-2", card: { $type: "masked" } } },
    );
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(
      "Same path for 1 step; then “charge” failed here (no money), and completed there.",
    );
    const inputs = screen.getByRole("table", { name: "Where the inputs differ" });
    expect(within(inputs).getByRole("row", { name: /orderId.*"A-1".*"A-2"/ })).toBeDefined();
    expect(screen.getByText(/Values masked in both runs are not compared/)).toBeDefined();
    const steps = screen.getByRole("list", { name: "Steps of both runs" });
    expect(within(steps).getByText("1 step the same, from", { exact: false })).toBeDefined();
    expect(within(steps).getByText("status, error")).toBeDefined();
    expect(
      within(steps)
        .getAllByRole("link")
        .map((link) => link.getAttribute("href")),
    ).toEqual([`/runs/${aRun().id}?step=charge`, `/runs/${OTHER}?step=charge`]);
    await userEvent.click(screen.getByRole("radio", { name: "All" }));
    expect(within(steps).getByText("create-order")).toBeDefined();
  });

  it("say so when they are of two workflows, or not here whole", () => {
    show({ stepsLeftOut: 3 }, { workflow: "another" });
    expect(screen.getByText("These are runs of two workflows")).toBeDefined();
    expect(screen.getByText(/3 steps in the middle of these runs were not loaded/)).toBeDefined();
    expect(screen.getByText("No steps yet.")).toBeDefined();
  });
});
