import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);

// What a page shows in the end is waited for; on a busy machine a second is over before.
configure({ asyncUtilTimeout: 10_000 });

// Files share one page, and each finds it in its initial state.
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, "", "/");

// Browser features that jsdom lacks, as far as our components and Radix need them.
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
globalThis.matchMedia ??= (media) => ({
  media,
  matches: false,
  onchange: null,
  addEventListener() {},
  removeEventListener() {},
  addListener() {},
  removeListener() {},
  dispatchEvent: () => false,
});
Element.prototype.scrollIntoView ??= () => undefined;
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => undefined;
Element.prototype.releasePointerCapture ??= () => undefined;
