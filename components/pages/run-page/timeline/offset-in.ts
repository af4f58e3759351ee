/** The distance of an element from the top of its scroll container: a virtual list below a head begins there. */
export const offsetIn = (element: HTMLElement, scroller: HTMLElement) =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
