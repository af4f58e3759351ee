import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { aRun, aStep } from "@/components/testing/a-run";
import { asTest } from "./as-test";
import { CopyAs } from "./copy-as";

describe("copy as", () => {
  it("copies the run for another place", async () => {
    const user = userEvent.setup();
    const run = aRun({ input: { orderId: "A-1" } });
    render(<CopyAs run={run} />);
    await user.click(screen.getByRole("button", { name: "Copy as" }));
    await user.click(await screen.findByRole("menuitem", { name: /^JSON/ }));
    expect(JSON.parse(await navigator.clipboard.readText())).toEqual(run);
    await user.click(screen.getByRole("button", { name: "Copy as" }));
    await user.click(await screen.findByRole("menuitem", { name: /^curl to start it again/ }));
    expect(await navigator.clipboard.readText()).toContain(`"orderId":"A-1"`);
  });

  it("says why no test can be made of a run that is not here whole", async () => {
    render(<CopyAs run={aRun({ stepsLeftOut: 5_001 })} />);
    await userEvent.click(screen.getByRole("button", { name: "Copy as" }));
    const item = await screen.findByRole("menuitem", { name: /A test/ });
    expect(item.getAttribute("aria-disabled")).toBe("true");
    expect(item.textContent).toContain("More than 5,000 steps");
  });
});

describe("a run as a test", () => {
  it("neither tells what is masked nor asks for it", () => {
    const text = asTest(
      aRun({
        input: { card: { $type: "masked" }, __proto__: null, note: "for •••" },
        steps: [aStep("charge", 1, { output: { $type: "masked" } })],
        output: { card: { $type: "masked" }, text: "to •••", "a-b": 1 },
      }),
      "http://localhost:3000/runs/1",
    );
    expect(text).toContain('const MASKED = "(masked)";');
    expect(text).toContain("    card: MASKED,\n");
    expect(text).toContain("      output: MASKED,\n");
    expect(text).toContain('        card: expect.anything(),\n        text: expect.any(String),\n        "a-b": 1,\n');
  });

  it("writes a key that would set a prototype as the key that it is", () => {
    const input = JSON.parse('{"__proto__": {"x": 1}}');
    expect(asTest(aRun({ input }), "")).toContain('["__proto__"]: {');
  });

  it.each([
    ["run_timed_out", "expect.any(Array)", "open"],
    ["boom", "[]", "failed"],
  ])("of a run that failed by %s expects what its code can know", (code, next, status) => {
    const error = { name: "Error", message: "m", code };
    const text = asTest(aRun({ status: "failed", error, steps: [aStep("a", 1)] }), "");
    expect(text).toContain(`    next: ${next},\n`);
    expect(text).toContain(`      status: "${status}",\n`);
  });
});
