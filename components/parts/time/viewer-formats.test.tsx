import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { viewerFormats } from "@/lib/format/viewer-formats";

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
});
afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

const browser = window;
const AT = "2026-11-21T13:05:04.000Z";

/** Fresh modules: a server has separate instances, whose formats are not the browser's. */
async function page() {
  const { ViewerFormatsProvider } = await import("./viewer-formats");
  const { Instant } = await import("./instant");
  const { formatCount } = await import("@/lib/format");
  const Shown = () => (
    <p>
      {formatCount(1_234)} at <Instant at={AT} as="clock" />
    </p>
  );
  const of = (languages: string) => (
    <ViewerFormatsProvider formats={viewerFormats(languages)}>
      <Shown />
    </ViewerFormatsProvider>
  );
  return { of, formatCount };
}

async function onTheServer<T>(work: () => Promise<T>): Promise<T> {
  vi.stubGlobal("window", undefined);
  try {
    return await work();
  } finally {
    vi.stubGlobal("window", browser);
    vi.resetModules();
  }
}

const drawn = (...languages: string[]) =>
  onTheServer(async () => {
    const { renderToString } = await import("react-dom/server");
    const { of, formatCount } = await page();
    const pages = languages.map((language) => renderToString(of(language)));
    // React says so aloud while one develops.
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const outside = formatCount(1_234);
    vi.restoreAllMocks();
    return { pages, outside };
  });

const textOf = (html: string) => html.replaceAll(/<[^>]*>/g, "");

/** As a browser wakes up what the server drew. */
async function wokenUp(languages: string) {
  const { pages } = await drawn(languages);
  document.body.innerHTML = `<div>${pages[0]}</div>`;
  const { act } = await import("react");
  const { hydrateRoot } = await import("react-dom/client");
  const { of } = await page();
  const mended: unknown[] = [];
  await act(async () => {
    hydrateRoot(document.body.firstElementChild as Element, of(languages), {
      onRecoverableError: (error) => mended.push(error),
    });
  });
  return { text: document.body.textContent, mended };
}

describe("the viewer's formats", () => {
  it("are on the server those of the page that is drawn, British where none is, and times are in UTC", async () => {
    const { pages, outside } = await drawn("de-DE", "en-GB", "en-US");
    expect(pages.map(textOf)).toEqual(["1.234 at 13:05:04", "1,234 at 13:05:04", "1,234 at 1:05:04 pm"]);
    expect(outside).toBe("1,234");
  });

  it("are in the browser what the server took, so that nothing is drawn twice", async () => {
    const { text, mended } = await wokenUp("de-DE");
    expect(text).toMatch(/^1\.234 at /);
    expect(mended).toEqual([]);
  });

  it("give way to what was chosen here, once the page has woken up", async () => {
    localStorage.setItem("handrail.hours", "12");
    localStorage.setItem("handrail.zone", "Asia/Kolkata");
    const { text, mended } = await wokenUp("de-DE");
    expect(text).toBe("1.234 at 6:35:04 pm");
    expect(mended).toEqual([]);
  });

  it("leave what makes no sense in this browser's storage alone", async () => {
    localStorage.setItem("handrail.hours", "13");
    localStorage.setItem("handrail.zone", "Mars/Olympus");
    expect((await wokenUp("en-GB")).text).toMatch(/^1,234 at \d\d:05:04$/);
  });
});
