"use client";

import { Plus, Settings } from "lucide-react";
import { useState } from "react";
import { tell } from "@/components/parts/toasts/tell";
import { Button } from "@/components/ui/button";
import { ChipButton } from "@/components/ui/chip-button";
import { Spinner } from "@/components/ui/feedback/spinner";
import { Checkbox } from "@/components/ui/form/checkbox";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { NativeSelect } from "@/components/ui/form/native-select";
import { SearchField } from "@/components/ui/form/search-field";
import { Segmented } from "@/components/ui/form/segmented";
import { TextArea, TextField } from "@/components/ui/form/text-field";
import { IconButton } from "@/components/ui/icon-button";
import { Dialog, DialogSection } from "@/components/ui/overlay/dialog";
import { Menu, MenuChoice, MenuItem } from "@/components/ui/overlay/menu";
import { Popover } from "@/components/ui/overlay/popover";
import { Sheet } from "@/components/ui/overlay/sheet";
import { Tooltip } from "@/components/ui/overlay/tooltip";
import { RowCheckbox } from "@/components/ui/table/row-checkbox";
import { Specimen, Specimens } from "./specimen";

const VARIANTS = ["primary", "secondary", "ghost", "danger"] as const;

export function Controls() {
  return (
    <>
      <Buttons />
      <Fields />
      <Choices />
      <Windows />
    </>
  );
}

function Buttons() {
  return (
    <Specimens title="Buttons" note="44 px under a thumb, 28 px under a pointer">
      {VARIANTS.map((variant) => (
        <Specimen key={variant} name={variant}>
          <Button variant={variant}>Rerun from charge-payment</Button>
          <Button variant={variant} size="small">
            Small
          </Button>
          <Button variant={variant} disabled>
            Closed
          </Button>
          <Button variant={variant} disabled>
            <Spinner /> Saving
          </Button>
        </Specimen>
      ))}
      <Specimen name="with an icon">
        <Button>
          <Plus aria-hidden className="size-3.5" /> Start a run
        </Button>
        <IconButton label="Settings">
          <Settings aria-hidden className="size-4" />
        </IconButton>
      </Specimen>
    </Specimens>
  );
}

function Fields() {
  const [search, setSearch] = useState("A-1042");
  return (
    <Specimens title="Fields">
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-3">
        <TextField label="At rest" placeholder="order-A-1042" hint="What it is for" />
        <TextField label="With an error" defaultValue="-5" error="More than 0 is needed" />
        <TextField label="Closed" defaultValue="A-1042" disabled />
        <TextField label="Monospace" mono defaultValue="01a1fe96-c909" />
        <NativeSelect label="One of many" options={[{ value: "a", text: "Order fulfilment" }]} />
        <TextArea label="Lines" defaultValue="The gateway was down." />
        <SearchField label="Search" value={search} onChange={setSearch} placeholder="Any id, key or customer" />
      </div>
    </Specimens>
  );
}

function Choices() {
  const [segment, setSegment] = useState("open");
  const [card, setCard] = useState<"happened" | "did_not" | null>("happened");
  const [checked, setChecked] = useState(true);
  const [chip, setChip] = useState(true);
  return (
    <Specimens title="Choices">
      <Specimen name="One of a few">
        <Segmented
          label="Status"
          value={segment}
          onChange={setSegment}
          options={[
            { value: "open", text: "Open" },
            { value: "muted", text: "Muted" },
            { value: "down", text: "Down", tone: "trouble" },
          ]}
        />
        <ChipButton on={chip} onClick={() => setChip(!chip)}>
          Failed 28
        </ChipButton>
        <ChipButton on={!chip} onClick={() => setChip(!chip)}>
          Waiting 7
        </ChipButton>
      </Specimen>
      <Specimen name="Yes or no">
        <Checkbox
          checked={checked}
          onChange={setChecked}
          label="Use fresh keys"
          hint="Receivers take it for a new call"
        />
        <Checkbox checked={!checked} onChange={() => setChecked(!checked)} label="Not chosen" />
        {([true, false, "some"] as const).map((state) => (
          <span key={String(state)} className="size-6">
            <RowCheckbox checked={state} label={`A row: ${state}`} onToggle={() => undefined} />
          </span>
        ))}
      </Specimen>
      <Specimen name="With consequences">
        <ChoiceCards
          className="w-full"
          label="Did it happen?"
          value={card}
          onChange={setCard}
          choices={[
            { value: "happened", text: "It happened", note: "Give the output and the receiver's reference." },
            { value: "did_not", text: "It did not", note: "A pure step leaves nothing to resolve.", closed: true },
          ]}
        />
      </Specimen>
    </Specimens>
  );
}

function Windows() {
  const [open, setOpen] = useState<"dialog" | "sheet" | null>(null);
  const [theme, setTheme] = useState("a");
  const close = () => setOpen(null);
  return (
    <Specimens title="What opens">
      <Specimen name="Windows">
        <Button onClick={() => setOpen("dialog")}>Dialog…</Button>
        <Button onClick={() => setOpen("sheet")}>Sheet…</Button>
        <Menu align="start" trigger={<Button>Menu</Button>}>
          <MenuItem onSelect={close}>Open to you</MenuItem>
          <MenuItem onSelect={close} closed note="It has ended already.">
            Closed, with its reason
          </MenuItem>
          <MenuChoice
            label="One of"
            value={theme}
            onChange={setTheme}
            options={[
              { value: "a", text: "This" },
              { value: "b", text: "That" },
            ]}
          />
        </Menu>
        <Popover label="A popover" trigger={<Button>Popover</Button>}>
          <p className="p-3">It holds what has more than one field.</p>
        </Popover>
        <Tooltip text="What does not fit, or explains">
          <Button>Tooltip</Button>
        </Tooltip>
        <Button onClick={() => tell("Paused order A-1042", { description: "It rests after charge-payment." })}>
          Toast
        </Button>
      </Specimen>
      <Dialog
        open={open === "dialog"}
        onOpenChange={close}
        title="Rerun from charge-payment"
        description="What is done stays done."
        footer={
          <>
            <Button onClick={close}>Close</Button>
            <Button variant="primary" onClick={close}>
              Rerun
            </Button>
          </>
        }
      >
        <DialogSection>
          <TextField label="Reason (saved to the audit log)" placeholder="The gateway is back" />
        </DialogSection>
      </Dialog>
      <Sheet open={open === "sheet"} onClose={close} title="charge-payment">
        <p className="p-4">The inspector, where there is no room beside the list.</p>
      </Sheet>
    </Specimens>
  );
}
