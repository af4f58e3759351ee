import { classNames } from "@/lib/class-names";
import { Specimen, Specimens } from "./specimen";

const SURFACES = ["bg-bg", "bg-panel", "bg-sunken", "bg-gray-soft", "bg-line", "bg-line-strong", "bg-field"];
const INKS = ["text-ink", "text-ink-2", "text-ink-3"];
const TONES = [
  {
    name: "accent",
    text: "text-accent",
    soft: "bg-accent-soft",
    solid: "bg-accent",
    says: "what can be pressed, and where one is",
  },
  { name: "red", text: "text-red", soft: "bg-red-soft", solid: "bg-red", says: "a person is needed" },
  {
    name: "amber",
    text: "text-amber",
    soft: "bg-amber-soft",
    solid: "bg-amber",
    says: "it is tried again, or held up",
  },
  { name: "blue", text: "text-blue", soft: "bg-blue-soft", solid: "bg-blue", says: "in progress" },
  { name: "violet", text: "text-violet", soft: "bg-violet-soft", solid: "bg-violet", says: "it waits, as it should" },
  { name: "green", text: "text-green", soft: "bg-green-soft", solid: "bg-green", says: "it is done" },
];
const SIZES = [
  { name: "figure", className: "font-semibold text-figure" },
  { name: "headline", className: "font-semibold text-headline" },
  { name: "title", className: "font-semibold text-title" },
  { name: "body", className: "text-body" },
  { name: "small", className: "text-small" },
  { name: "micro", className: "text-micro" },
];

/** The tokens of app/globals.css, as they look in the theme that is on. */
export function Tokens() {
  return (
    <Specimens title="Tokens" note="app/globals.css, the one place">
      <Specimen name="Surfaces and lines">
        {SURFACES.map((surface) => (
          <span key={surface} className="grid justify-items-center gap-1 text-ink-3 text-micro">
            <span className={classNames("size-10 rounded-lg border border-line-strong", surface)} />
            {surface.slice("bg-".length)}
          </span>
        ))}
      </Specimen>
      <Specimen name="Ink">
        {INKS.map((ink) => (
          <span key={ink} className={ink}>
            {ink.slice("text-".length)}: order A-1042 was charged once
          </span>
        ))}
      </Specimen>
      <Specimen name="Meanings">
        <ul className="grid w-full gap-x-6 gap-y-1.5 sm:grid-cols-2">
          {TONES.map(({ name, text, soft, solid, says }) => (
            <li key={name} className="flex items-center gap-2">
              <span aria-hidden className={classNames("size-4 rounded", solid)} />
              <span className={classNames("rounded px-1.5 font-medium", soft, text)}>{name}</span>
              <span className="text-ink-2">{says}</span>
            </li>
          ))}
        </ul>
      </Specimen>
      <Specimen name="Type">
        <div className="grid gap-1">
          {SIZES.map(({ name, className }) => (
            <p key={name} className={className}>
              {name} <span className="font-mono">01a1fe96 1,204</span>
            </p>
          ))}
        </div>
      </Specimen>
    </Specimens>
  );
}
