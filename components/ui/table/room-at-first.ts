/**
 * What a virtual list takes its room for until it is measured. With it the first rows are drawn as part of the page, which React
 * draws in pieces; without, all of them at once when the page is there. Half a window: the few that are missing then come alone.
 */
export const roomAtFirst = () => ({ width: innerWidth, height: innerHeight / 2 });
