import type { Page } from "@playwright/test";

/**
 * Makes a page of one demo look like that page of any other: ids, points in time and durations are replaced by constant ones, and
 * what is drawn from them (charts, bars of a timeline) is hidden. It stays so while the page reads anew.
 */
export const holdSteady = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const constant: [RegExp, string][] = [
      [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g, "01a00000-0000-7000-8000-000000000000"],
      [/\b[0-9a-f]{8}…[0-9a-f]{4}\b/g, "01a00000…0000"],
      [/\b[0-9a-f]{8}…:/g, "01a00000…:"],
      [/\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b(?: 20\d\d)?/g, "1 Jan"],
      [/\b\d\d:\d\d(?::\d\d)?(?:\.\d+)?/g, "12:00"],
      [/\d+(?:\.\d+)?\s(?:ms|s|min|h|d)\b(?:\s\d+\s(?:ms|s|min|h)\b)*/g, "1 s"],
      [/\bjust now\b/g, "1 s ago"],
    ];
    const write = (node: Node) => {
      const before = node.nodeValue ?? "";
      const after = constant.reduce((text, [what, by]) => text.replace(what, by), before);
      if (after !== before) node.nodeValue = after;
    };
    const writeAll = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) write(texts.currentNode);
    };
    const hidden = new CSSStyleSheet();
    // No style element: the page's policy forbids those.
    hidden.replaceSync("canvas, .chart-plot, svg[role=img], [data-bar] { visibility: hidden !important }");
    document.adoptedStyleSheets.push(hidden);
    writeAll(document.body);
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        if (type === "characterData") write(target);
        else for (const node of addedNodes) node.nodeType === Node.TEXT_NODE ? write(node) : writeAll(node);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
