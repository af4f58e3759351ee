import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { InputEditor } from "./input-editor";
import { useInputForm } from "./use-input-form";

const schema = z.toJSONSchema(
  z
    .object({
      orderId: z.string().min(1).meta({ description: "As on the invoice" }),
      amount: z.number().positive(),
      express: z.boolean().optional(),
      lines: z.array(z.object({ sku: z.string(), count: z.int() })),
      note: z.object({ text: z.string() }).optional(),
      ship: z.discriminatedUnion("by", [
        z.object({ by: z.literal("post"), street: z.string() }),
        z.object({ by: z.literal("pickup"), shop: z.string() }),
      ]),
    })
    .meta({ examples: [{ orderId: "A-1", amount: 5, lines: [], ship: { by: "post", street: "High St" } }] }),
  { io: "input" },
);

const onSubmit = vi.fn();

function Editor({ of }: { of: unknown }) {
  const form = useInputForm(of);
  return (
    // As in the dialog: the browser's own checks stay out of it.
    <form noValidate onSubmit={form.submit(onSubmit)}>
      <InputEditor form={form} />
      <button type="submit">Send</button>
    </form>
  );
}

function open(of: unknown = schema) {
  onSubmit.mockClear();
  render(<Editor of={of} />);
  return userEvent.setup();
}
const text = (name: string) => screen.getByRole("textbox", { name });
const sent = async () => {
  await waitFor(() => expect(onSubmit).toHaveBeenCalled());
  return JSON.parse(JSON.stringify(onSubmit.mock.calls[0]?.[0]));
};

it("asks for each part and sends what was filled in", async () => {
  const user = open();
  await user.type(text("orderId"), "A-7");
  await user.type(text("amount"), "1.50");
  await user.click(screen.getByRole("button", { name: "Add to lines" }));
  await user.type(text("sku"), "S-1");
  await user.type(text("count"), "2");
  await user.selectOptions(screen.getByRole("combobox", { name: "Kind of ship" }), "pickup");
  await user.type(text("shop"), "Leeds");
  expect(text("amount")).toHaveProperty("value", "1.50");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect(await sent()).toEqual({
    orderId: "A-7",
    amount: 1.5,
    lines: [{ sku: "S-1", count: 2 }],
    ship: { by: "pickup", shop: "Leeds" },
  });
});

it("tells at the field what does not fit, and sends nothing", async () => {
  const user = open();
  await user.type(text("amount"), "many");
  await screen.findByText("Expected number, received string");
  await user.click(screen.getByRole("button", { name: "Send" }));
  expect((await screen.findAllByText("Required")).length).toBeGreaterThanOrEqual(2);
  expect(text("orderId").getAttribute("aria-invalid")).toBe("true");
  await waitFor(() => expect(document.activeElement).toBe(text("orderId")));
  expect(onSubmit).not.toHaveBeenCalled();
});

it("is the same input as JSON, and back", async () => {
  const user = open();
  await user.type(text("orderId"), "A-7");
  await user.click(screen.getByRole("radio", { name: "JSON" }));
  const json = text("Input (JSON)") as HTMLTextAreaElement;
  expect(JSON.parse(json.value)).toEqual({ orderId: "A-7", lines: [] });
  await user.clear(json);
  await user.type(json, '{{"orderId": "B-1", "amount": -3}');
  const list = screen.getByRole("list", { name: "Invalid values" });
  await waitFor(() => expect(within(list).getByText(/^amount/)).toBeTruthy());
  await user.click(screen.getByRole("radio", { name: "Form" }));
  expect(text("orderId")).toHaveProperty("value", "B-1");
});

it("is filled in from an example", async () => {
  const user = open();
  await user.click(screen.getByRole("button", { name: "Fill in" }));
  await user.click(await screen.findByRole("menuitem", { name: /^The example/ }));
  expect(text("orderId")).toHaveProperty("value", "A-1");
  expect(text("street")).toHaveProperty("value", "High St");
});

it("moves the rows up when one is removed", async () => {
  const user = open();
  for (const sku of ["one", "two"]) {
    await user.click(screen.getByRole("button", { name: "Add to lines" }));
    await user.type(screen.getAllByRole("textbox", { name: "sku" }).at(-1) as HTMLElement, sku);
  }
  await user.type(screen.getAllByRole("textbox", { name: "count" })[0] as HTMLElement, "7.0");
  await user.click(screen.getByRole("button", { name: "Remove lines 1" }));
  expect(text("sku")).toHaveProperty("value", "two");
  expect(text("count")).toHaveProperty("value", "");
});

it("leaves out what may be left out until it is added", async () => {
  const user = open();
  expect(screen.queryByRole("textbox", { name: "text" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Add note" }));
  await user.type(text("text"), "hi");
  await user.click(screen.getByRole("button", { name: "Remove note" }));
  expect(screen.queryByRole("textbox", { name: "text" })).toBeNull();
});

it("is JSON where there is no schema", () => {
  open(null);
  expect(text("Input (JSON)")).toHaveProperty("value", "{}");
  expect(screen.queryByRole("radio")).toBeNull();
});
