/** How far down an element stands in what it scrolls in: a virtual list below a head begins there. */
export const offsetIn = (element: HTMLElement, scroller: HTMLElement) =>
  element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
