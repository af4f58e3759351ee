import { Copyable } from "@/components/ui/text/copyable";

/**
 * A step's idempotency key. The run's id in front is the least informative part, so it is shortened; the copy has all
 * of it.
 */
export function StepKey({ text }: { text: string }) {
  return <Copyable text={text} shown={shorten(text)} what="the idempotency key" />;
}

const shorten = (key: string) => key.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}:/, "$1…:");
