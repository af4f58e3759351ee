import { Copyable } from "@/components/ui/text/copyable";

/**
 * A step's idempotency key. The run's id in front is the least informative part, so it is shortened; the copy has all
 * of it. Where keys of several steps are listed, `step` gives each button its name.
 */
export function StepKey({ text, step }: { text: string; step?: string }) {
  const what = step === undefined ? "the idempotency key" : `the idempotency key of ${step}`;
  return <Copyable text={text} shown={shorten(text)} what={what} />;
}

const shorten = (key: string) => key.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}:/, "$1…:");
