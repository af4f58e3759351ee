import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { Segmented } from "./form/segmented";
import { IconButton } from "./icon-button";
import { TabPanel, Tabs } from "./layout/tabs";
import { RowCheckbox } from "./table/row-checkbox";

const NAMES = ["one", "two", "three"] as const;

function SomeTabs() {
  const [value, setValue] = useState<(typeof NAMES)[number]>("one");
  return (
    <Tabs label="Views" value={value} onChange={setValue} tabs={NAMES.map((name) => ({ value: name, text: name }))}>
      {NAMES.map((name) => (
        <TabPanel key={name} value={name}>
          what {name} shows
        </TabPanel>
      ))}
    </Tabs>
  );
}

it("goes through tabs with the arrow keys, over the ends", async () => {
  const user = userEvent.setup();
  render(<SomeTabs />);
  await user.tab();
  const openTab = () => screen.getByRole("tab", { selected: true });
  for (const [key, name] of [
    ["{ArrowRight}", "two"],
    ["{End}", "three"],
    ["{ArrowRight}", "one"],
    ["{ArrowLeft}", "three"],
    ["{Home}", "one"],
  ] as const) {
    await user.keyboard(key);
    expect(openTab()).toBe(document.activeElement);
    expect(screen.getByRole("tabpanel", { name }).textContent).toBe(`what ${name} shows`);
  }
});

it("chooses one of a few with the arrow keys of the browser's own radio buttons", async () => {
  const chosen = vi.fn();
  const options = NAMES.map((value) => ({ value, text: value }));
  render(<Segmented label="How many" value="one" onChange={chosen} options={options} />);
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "one" }).checked).toBe(true);
  await userEvent.click(screen.getByRole("radio", { name: "three" }));
  expect(chosen).toHaveBeenCalledExactlyOnceWith("three");
});

it("says of a row's box whether shift was held, and of one that represents some that it does", () => {
  const toggled = vi.fn();
  render(<RowCheckbox label="Select all" checked="some" onToggle={toggled} />);
  const box = screen.getByRole<HTMLInputElement>("checkbox", { name: "Select all" });
  expect([box.checked, box.indeterminate]).toEqual([false, true]);
  fireEvent.click(box, { shiftKey: true });
  fireEvent.click(box);
  expect(toggled.mock.calls).toEqual([[true], [false]]);
});

it("explains what has the focus, and what the pointer rests on, until Escape; the focus stays where it is", async () => {
  const user = userEvent.setup();
  render(<IconButton label="Close (Esc)">×</IconButton>);
  await user.tab();
  const button = screen.getByRole("button", { name: "Close (Esc)" });
  expect(await screen.findByRole("tooltip")).toHaveProperty("id", button.getAttribute("aria-describedby"));
  expect(document.activeElement).toBe(button);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("tooltip")).toBeNull();
  await user.hover(button);
  expect((await screen.findByRole("tooltip")).textContent).toContain("Close (Esc)");
  await user.unhover(button);
  await vi.waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
});
