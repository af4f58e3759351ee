import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { DialogWindow } from "./dialog-window";

function Page() {
  const [shown, show] = useState("");
  const close = () => show("");
  return (
    <>
      <button type="button" onClick={() => show("One moment")}>
        Open
      </button>
      {shown === "One moment" && (
        <DialogWindow open onOpenChange={close} title="One moment">
          <button type="button" onClick={() => show("Cancel run")}>
            Loaded
          </button>
        </DialogWindow>
      )}
      {shown === "Cancel run" && (
        <DialogWindow open onOpenChange={close} title="Cancel run">
          <input aria-label="Reason" />
        </DialogWindow>
      )}
    </>
  );
}

it("gives the focus back to what opened the first of two windows of which one took the other's place", async () => {
  render(<Page />);
  const opener = screen.getByRole("button", { name: "Open" });
  opener.focus();
  fireEvent.click(opener);
  const loaded = await screen.findByRole("button", { name: "Loaded" });
  await waitFor(() => expect(document.activeElement).not.toBe(opener));
  fireEvent.click(loaded);
  const field = await screen.findByLabelText("Reason");
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.keyDown(field, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(opener));
});
