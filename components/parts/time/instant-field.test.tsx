import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { BRITISH } from "@/lib/format/viewer-formats";
import { InstantField } from "./instant-field";
import { ViewerFormatsProvider } from "./viewer-formats";

afterEach(() => localStorage.clear());

let held: Date | null = null;

function Field({ first }: { first: Date | null }) {
  const [value, setValue] = useState(first);
  held = value;
  return (
    <ViewerFormatsProvider formats={BRITISH}>
      <InstantField label="From" value={value} onChange={setValue} />
    </ViewerFormatsProvider>
  );
}

function open(zone: string, first: string | null = null) {
  localStorage.setItem("handrail.zone", zone);
  render(<Field first={first === null ? null : new Date(first)} />);
  const field = screen.getByLabelText<HTMLInputElement>("From");
  return { field, type: (value: string) => fireEvent.change(field, { target: { value } }) };
}

const says = (field: HTMLElement) =>
  document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent ?? "";

it("reads and writes in the zone that was chosen, and says which", () => {
  const { field, type } = open("Asia/Kolkata", "2026-11-21T12:05:00Z");
  expect(field.value).toBe("2026-11-21T17:35");
  expect(says(field)).toBe("Asia/Kolkata, UTC+5:30");
  type("2026-11-21T05:30");
  expect(held?.toISOString()).toBe("2026-11-21T00:00:00.000Z");
  type("");
  expect(held).toBeNull();
  expect(says(field)).toBe("Asia/Kolkata");
});

it("takes the first of a time that comes twice, and offers the second", () => {
  const { field, type } = open("Europe/Berlin");
  type("2026-10-25T02:30");
  expect(held?.toISOString()).toBe("2026-10-25T00:30:00.000Z");
  expect(says(field)).toContain("Europe/Berlin, UTC+2: the first of two");
  fireEvent.click(screen.getByRole("button", { name: "Take the second, UTC+1" }));
  expect(held?.toISOString()).toBe("2026-10-25T01:30:00.000Z");
  expect(field.value).toBe("2026-10-25T02:30");
  expect(says(field)).toContain("UTC+1: the second of two");
});

it("takes no time that the clocks skip, and says why", () => {
  const { field, type } = open("America/New_York", "2026-03-08T06:00:00Z");
  type("2026-03-08T02:30");
  expect(held).toBeNull();
  expect(field.value).toBe("2026-03-08T02:30");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(says(field)).toMatch(/^The clocks of America\/New York are put forward from 02:00 to 03:00 then\./);
  type("2026-03-08T03:30");
  expect(held?.toISOString()).toBe("2026-03-08T07:30:00.000Z");
  expect(field.getAttribute("aria-invalid")).toBeNull();
});
