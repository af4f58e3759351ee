"use client";

import { ArrowDown, ArrowUp, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { Checkbox } from "@/components/ui/form/checkbox";
import { SearchField } from "@/components/ui/form/search-field";
import { IconButton } from "@/components/ui/icon-button";
import type { RunListItem } from "@/lib/api/contract/run";
import { isPathColumn, LINK_COLUMN } from "../address/column-url";
import { suggestedPaths } from "./path-suggestions";
import { columnOf, RUN_COLUMNS } from "./run-columns";
import type { RunColumns } from "./use-run-columns";

interface ColumnChoicesProps {
  columns: RunColumns;
  runs: readonly RunListItem[];
}

/** What the window of the columns shows. */
export function ColumnChoices({ columns, runs }: ColumnChoicesProps) {
  const [text, setText] = useState("");
  const sought = text.trim().toLowerCase();
  const fits = (name: string) => name.toLowerCase().includes(sought);
  const shown = new Set(columns.shown.map(({ id }) => id));
  const hidden = RUN_COLUMNS.filter(({ id, name }) => !shown.has(id) && fits(name));
  const suggestions = useMemo(() => suggestedPaths(runs), [runs]).filter((path) => !shown.has(path) && fits(path));
  const written = text.trim();
  const isNew = isPathColumn(written) && !shown.has(written) && !suggestions.includes(written);
  const add = (path: string) => {
    columns.toggle(path);
    setText("");
  };
  return (
    <>
      <div className="border-line border-b p-2">
        <SearchField
          label="Find a column, or enter a path"
          placeholder="Column, or input.customer.tier"
          value={text}
          onChange={setText}
          onKeyDown={(event) => event.key === "Enter" && isNew && add(written)}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        {isNew && <PathChoice path={written} onAdd={add} />}
        <Group title="Shown">
          {columns.shown
            .map(({ id }) => columnOf(id))
            .filter(({ name }) => fits(name))
            .map(({ id, name }) => (
              <li key={id} className="flex items-center gap-1">
                <Choice name={name} checked locked={id === LINK_COLUMN} onToggle={() => columns.toggle(id)} />
                {sought === "" && <MoveButtons id={id} name={name} columns={columns} />}
              </li>
            ))}
        </Group>
        <Group title="More columns">
          {hidden.map(({ id, name }) => (
            <li key={id}>
              <Choice name={name} checked={false} onToggle={() => columns.toggle(id)} />
            </li>
          ))}
        </Group>
        <Group title="From the runs on this page">
          {suggestions.slice(0, sought === "" ? 12 : 40).map((path) => (
            <li key={path}>
              <PathChoice path={path} onAdd={add} />
            </li>
          ))}
        </Group>
        {sought !== "" && !isNew && hidden.length + suggestions.length === 0 && (
          <p className="pt-2 text-ink-3 text-small">
            To show a value of the runs, enter its path: <span className="font-mono">input.</span>,{" "}
            <span className="font-mono">output.</span> or <span className="font-mono">tags.</span>, then its keys.
          </p>
        )}
      </div>
    </>
  );
}

function Group({ title, children }: { title: string; children: React.ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="pt-3 pb-1 text-ink-3 text-small">{title}</h3>
      <ul>{children}</ul>
    </section>
  );
}

interface ChoiceProps {
  name: string;
  checked: boolean;
  locked?: boolean;
  onToggle: () => void;
}

function Choice({ name, checked, locked = false, onToggle }: ChoiceProps) {
  return (
    <div className="min-w-0 flex-1 py-1 max-md:py-2.5 [&_label]:block [&_label]:truncate">
      {locked ? (
        <p className="pl-[26px]">
          {name} <span className="text-ink-3 text-small">always shown</span>
        </p>
      ) : (
        <Checkbox checked={checked} onChange={onToggle} label={name} />
      )}
    </div>
  );
}

function MoveButtons({ id, name, columns }: { id: string; name: string; columns: RunColumns }) {
  const at = columns.shown.findIndex((column) => column.id === id);
  return (
    <>
      <IconButton label={`Move ${name} to the left`} disabled={at === 0} onClick={() => columns.move(id, -1)}>
        <ArrowUp aria-hidden className="size-3.5" />
      </IconButton>
      <IconButton
        label={`Move ${name} to the right`}
        disabled={at === columns.shown.length - 1}
        onClick={() => columns.move(id, 1)}
      >
        <ArrowDown aria-hidden className="size-3.5" />
      </IconButton>
    </>
  );
}

function PathChoice({ path, onAdd }: { path: string; onAdd: (path: string) => void }) {
  return (
    <button
      type="button"
      data-ring="inside"
      onClick={() => onAdd(path)}
      className="flex h-11 w-full min-w-0 items-center gap-2 md:h-7 rounded-md px-1 text-left hover:bg-gray-soft"
    >
      <Plus aria-hidden className="size-3.5 shrink-0 text-ink-3" />
      <span className="sr-only">Add the column </span>
      <span className="truncate font-mono text-small">{path}</span>
    </button>
  );
}
