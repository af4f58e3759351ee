import { CopyButton } from "@/components/ui/copy-button";
import { Callout, type Tone } from "@/components/ui/feedback/callout";
import { Disclosure } from "@/components/ui/layout/disclosure";
import type { Step } from "@/lib/api/contract/run";

type StoredError = NonNullable<Step["error"]>;

/** What was thrown: name and message first, then what caused it, and the stack on request. Text as text. */
export function ErrorView({ error, tone = "red" }: { error: StoredError; tone?: Tone }) {
  const causes = causesOf(error);
  return (
    <Callout tone={tone} title={error.name}>
      <p className="whitespace-pre-wrap break-words">{error.message}</p>
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
