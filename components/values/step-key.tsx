import { Copyable } from "../ui/text/copyable";

/** A step's idempotency key. The run's id in front tells least, so it is what gets shortened; copied is the whole. */
export function StepKey({ text }: { text: string }) {
  return <Copyable text={text} shown={shorten(text)} what="the idempotency key" />;
}

const shorten = (key: string) => key.replace(/^([0-9a-f]{8})-[0-9a-f-]{27}:/, "$1…:");
