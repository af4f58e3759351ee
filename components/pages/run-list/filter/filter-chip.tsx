import { X } from "lucide-react";
import { printTerm, type Term } from "@/components/domain/run-filter/language";
import { Instant } from "@/components/parts/time/instant";

/** One term of the filter, to be taken out by a press. */
export function FilterChip({ term, onRemove }: { term: Term; onRemove: () => void }) {
  return (
    <li className="inline-flex max-w-full items-center rounded bg-gray-soft text-small">
      <span className="min-w-0 truncate py-px pl-1.5">
        <span className={term.not ? "text-red" : "text-ink-3"}>
          {term.not && "not "}
          {term.field}
        </span>{" "}
        <TermValue term={term} />
      </span>
      <button
        type="button"
        aria-label={`Remove ${printTerm(term)}`}
        onClick={onRemove}
        className="grid size-9 shrink-0 place-items-center rounded text-ink-3 hover:text-ink md:size-6"
      >
        <X aria-hidden className="size-3" />
      </button>
    </li>
  );
}

function TermValue({ term: { field, value } }: { term: Term }) {
  const isTime = field === "since" || field === "until";
  if (isTime && value.includes("T")) return <Instant at={value} className="font-medium" />;
  return <span className="font-medium">{isTime ? `${value} ago` : value.replaceAll("_", " ")}</span>;
}
