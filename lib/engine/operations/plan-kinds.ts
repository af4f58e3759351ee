/** Different reasons and steps that the totals of a plan list: those that come first. What is left is counted behind them as `others`. */
export const MAX_KINDS = 20;

/** Whether this place of such a list counts what is left. */
export const isRest = (place: number): boolean => place === MAX_KINDS;
