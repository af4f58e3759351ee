import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Look } from "@/components/parts/status/look";
import { StatusLabel } from "@/components/parts/status/status-label";
import { ATTENTIONS, RUN_STATUSES, WAIT_KINDS } from "@/lib/engine/runs/run";
import { ATTENTION_LOOKS, lookOfRun, RUN_LOOKS, WAIT_LOOKS } from "./run-looks";
import { ATTEMPT_LOOKS, COMPENSATION_LOOKS, lookOfCompensation, lookOfStep, STEP_LOOKS } from "./step-looks";

const tables: [string, Record<string, Look>][] = [
  ["runs", RUN_LOOKS],
  ["waits", WAIT_LOOKS],
  ["attentions", ATTENTION_LOOKS],
  ["steps", STEP_LOOKS],
  ["attempts", ATTEMPT_LOOKS],
  ["compensations", COMPENSATION_LOOKS],
];

describe.each(tables)("the looks of %s", (_, looks) => {
  it("never tell two statuses apart by colour alone", () => {
    const shown = Object.values(looks).map(({ shape, word }) => `${shape} ${word}`);
    expect(new Set(shown).size).toBe(shown.length);
  });

  it("spin only while something executes", () => {
    const spinning = Object.entries(looks).filter(([, { shape }]) => shape === "spinner");
    expect(spinning.every(([status]) => status === "running")).toBe(true);
  });
});

describe("a run", () => {
  it.each(RUN_STATUSES.filter((status) => status !== "failed"))("that is %s and needs nobody is not red", (status) => {
    expect(lookOfRun({ status, waitingFor: null, attention: null }).tone).not.toBe("red");
  });

  it.each(ATTENTIONS)(
    "that needs attention (%s) is red, unless it is a question that is not answered yet",
    (attention) => {
      const tone = attention === "approval" ? "amber" : "red";
      expect(lookOfRun({ status: "cancelled", waitingFor: null, attention }).tone).toBe(tone);
    },
  );

  it.each(WAIT_KINDS)("that waits says what for (%s)", (kind) => {
    const waitingFor = { kind, step: null, since: "2026-11-21T12:00:00Z", until: null };
    expect(lookOfRun({ status: "waiting", waitingFor, attention: null })).toBe(WAIT_LOOKS[kind]);
  });

  it("that retries is amber", () => {
    expect(WAIT_LOOKS.retry.tone).toBe("amber");
  });
});

describe("a step", () => {
  it("that waits for its next attempt is retrying, one that sleeps waits", () => {
    expect(lookOfStep({ status: "waiting", kind: "step", supersededBy: null }).word).toBe("Retrying");
    expect(lookOfStep({ status: "waiting", kind: "sleep", supersededBy: null }).word).toBe("Waiting");
  });

  it("whose failure a rerun set aside calls for nobody", () => {
    expect(lookOfStep({ status: "failed", kind: "step", supersededBy: 2 }).tone).toBe("quiet");
  });

  it("a pending manual compensation is red; a pending automatic one is not", () => {
    expect(lookOfCompensation({ mode: "manual", status: "owed" }).tone).toBe("red");
    expect(lookOfCompensation({ mode: "automatic", status: "owed" }).tone).toBe("amber");
  });
});

describe("a label", () => {
  it("keeps its word for those who cannot see its shape", () => {
    render(<StatusLabel look={RUN_LOOKS.failed} shapeOnly />);
    expect(screen.getByText("Failed")).toBeTruthy();
  });
});
