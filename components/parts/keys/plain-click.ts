import type { MouseEvent } from "react";

/**
 * For a link in a list that has an inspector: a plain click acts, one with a modifier follows the link as always.
 * @param act `byKey`: it was pressed with Enter
 */
export const onPlainClick = (act: (byKey: boolean) => void) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  act(event.detail === 0);
};
