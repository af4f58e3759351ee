import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { Verification } from "@/lib/api/contract/verifications";
import { RetrySafetyCard } from "./retry-safety";

const safe: Verification = {
  version: 3,
  commit: "9f3c2d1",
  trials: 61,
  passed: 61,
  steps: ["charge", "mail"],
  findings: [],
  asked: [{ step: "mail", why: "if its answer is lost, a person is asked.", line: "order.ts:9" }],
  verifiedAt: "2026-11-25T04:40:00.000Z",
  by: "ci",
};
const shown = (version: number, ...verifications: Verification[]) => {
  const { container } = render(<RetrySafetyCard workflow="order" version={version} verifications={verifications} />);
  return container.textContent;
};

it("says how many trials of the newest version passed, of which commit, and each finding beside its step", () => {
  expect(shown(3, safe)).toContain("Verified 61 of 61");
  expect(screen.getByText("9f3c2d1")).toBeDefined();
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "charge no finding",
    "mail may ask a personif its answer is lost, a person is asked.order.ts:9",
  ]);
});

it("says what was found at its step, between steps, and at steps that only a trial reached", () => {
  const finding = {
    kind: "twice",
    seen: "happened twice",
    todo: "Use the key.",
    line: "order.ts:9",
    faults: ["worker dies"],
  };
  const findings = ["mail", null, "late"].map((step) => ({ ...finding, step }));
  expect(shown(3, { ...safe, passed: 58, asked: [], findings })).toContain("3 findings, 58 of 61 trials passed");
  const found = "happened twice: worker diesUse the key.order.ts:9";
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "charge no finding",
    `mail has a finding${found}`,
    `late has a finding${found}`,
    `Between steps has a finding${found}`,
  ]);
});

it("takes no other version's verification for the newest one's", () => {
  expect(shown(4, safe)).toMatch(
    /^Retry safetyv4Not verifiedVersion 3: verified 61 of 61 .*\. Verify this version with npx handrail verify order --publish$/,
  );
  expect(shown(4)).toContain("Not verifiedVerify this version with");
});
