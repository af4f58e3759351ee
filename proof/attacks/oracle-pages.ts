import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isValidElement, type ReactElement } from "react";

const CONSOLE = fileURLToPath(new URL("../../app/(console)", import.meta.url));

/** Pages that prefetch nothing; the browser requests their data. */
export const BRINGS_NOTHING: Record<string, string> = {
  "/alerts": "the browser asks for it",
  "/design": "samples, in development and the demo",
  "/database": "the browser asks for it",
  "/fleet": "the browser asks for it, also of other consoles",
  "/notifications": "the browser asks for it",
  "/retention": "the browser asks for it",
  "/sandbox": "another program's answer, in the demo",
  "/settings": "the browser asks for all of it",
};

/** `app/(console)/prefetched.tsx`, which wraps pages. */
type Prefetched = (props: object) => Promise<ReactElement<{ state: { queries: unknown[] } }>>;

type Asked = { params: Promise<object>; searchParams: Promise<object> };

export interface ConsolePage {
  /** As endpoints write it: `/runs/{runId}`. */
  path: string;
  draw(asked: Asked): Promise<unknown>;
  titled(asked: Asked): Promise<unknown>;
}

/** Every page of the console, as Next finds it. */
export async function consolePages(): Promise<ConsolePage[]> {
  const files = readdirSync(CONSOLE, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|\/)page\.tsx$/.test(file),
  );
  return Promise.all(
    files.map(async (file) => {
      const page = await import(/* @vite-ignore */ pathToFileURL(join(CONSOLE, file)).href);
      return {
        path: `/${file.split("/").slice(0, -1).join("/")}`.replaceAll(/\[(\w+)\]/g, "{$1}"),
        draw: page.default,
        titled: async (asked: Asked) => page.generateMetadata?.(asked) ?? page.metadata,
      };
    }),
  );
}

/**
 * What a page sends before hydration: its title and its prefetched data. The rest of its HTML is a skeleton
 * (components/parts/page/after-hydration.tsx).
 */
export async function sentBy(
  page: ConsolePage,
  params: object,
  query: object,
): Promise<{ text: string; reads: number }> {
  const asked = { params: Promise.resolve(params), searchParams: Promise.resolve(query) };
  const element = (await page.draw(asked)) as ReactElement<object>;
  if (!isValidElement(element) || (element.type as Prefetched).name !== "Prefetched") return { text: "", reads: 0 };
  const drawn = await (element.type as Prefetched)(element.props);
  const { queries } = drawn.props.state;
  return { text: JSON.stringify([await page.titled(asked), queries]), reads: queries.length };
}
