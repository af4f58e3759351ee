import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { Callout, type Tone } from "@/components/ui/feedback/callout";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { Step } from "@/lib/api/contract/run";

type StoredError = NonNullable<Step["error"]>;

/**
 * What was thrown: name and message first, then what caused it, and the stack on request. Text as text.
 * @param at where, behind its name
 */
export function ErrorView({ error, tone = "red", at }: { error: StoredError; tone?: Tone; at?: ReactNode }) {
  const causes = causesOf(error);
  return (
    <Callout
      tone={tone}
      title={
        <>
          {error.name}
          {at}
        </>
      }
    >
      <Message text={error.message} />
      {error.code && <p className="text-ink-2 text-small">code {error.code}</p>}
      {causes.map((cause) => (
        <p key={`${cause.name} ${cause.message}`} className="mt-1 break-words text-ink-2 text-small">
          caused by {cause.name}: {cause.message}
          {cause.code && ` · code ${cause.code}`}
        </p>
      ))}
      {error.stack && <Stack text={error.stack} />}
    </Callout>
  );
}

/** Beyond this much a message would push the facts below it off the screen. */
const LONG = { characters: 600, lines: 8 };

function Message({ text }: { text: string }) {
  const isLong = text.length > LONG.characters || text.split("\n", LONG.lines + 1).length > LONG.lines;
  const whole = <p className="whitespace-pre-wrap break-words">{text}</p>;
  if (!isLong) return whole;
  return (
    <details className="group">
      <summary className="list-none [&::-webkit-details-marker]:hidden">
        <span className="line-clamp-6 whitespace-pre-wrap break-words group-open:hidden">{text}</span>
        <span className="inline-flex min-h-6 items-center text-ink-3 text-small hover:text-ink max-md:min-h-11">
          <span className="group-open:hidden">Show the whole message</span>
          <span className="hidden group-open:inline">Show less</span>
        </span>
      </summary>
      {whole}
    </details>
  );
}

function causesOf(error: StoredError): StoredError[] {
  return error.cause ? [error.cause, ...causesOf(error.cause)] : [];
}

function Stack({ text }: { text: string }) {
  return (
    <Disclosure summary="Stack" className="mt-1">
      <div className="relative isolate">
        <CopyButton text={text} what="the stack" className="absolute top-0 right-0 z-10" />
        <pre className="max-h-72 overflow-auto whitespace-pre-wrap break-words pr-6 font-mono text-[11px] text-ink-2 leading-4">
          {text}
        </pre>
      </div>
    </Disclosure>
  );
}
