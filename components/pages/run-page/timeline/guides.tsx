/** A line for each level above, to show nesting. */
export const Guides = ({ depth }: { depth: number }) =>
  Array.from({ length: depth }, (_, level) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a level has no other name
    <span key={level} aria-hidden className="ml-1.5 w-1.5 shrink-0 self-stretch border-line-strong border-l" />
  ));
