import type { Page } from 'playwright';
import { expect } from 'vitest';
import { axeResults } from './axe.ts';
import { drawn } from './drawn.ts';

/**
 * Everything that axe finds in the page as it is, or in the part with a CSS selector, with the rule about the size of targets, which is off by default. The
 * page has to be opened with `bypassCSP`: its policy would block the checker. With forced colours, contrast is the
 * reader's own.
 */
export async function faultsOf(
  page: Page,
  { forcedColors = false, part }: { forcedColors?: boolean; part?: string } = {},
): Promise<string[]> {
  await drawn(page);
  const { violations, passes } = await axeResults(page, {
    ...(part !== undefined && { part }),
    rules: { 'target-size': true, 'color-contrast': !forcedColors },
  });
  expect(passes.length).toBeGreaterThan(5);
  const faults: string[] = [];
  for (const { id, help, nodes } of violations)
    for (const node of nodes.slice(0, 3)) {
      const target = node.target.join(' ');
      if (id === 'target-size' && ((await isUnderPopover(page, target)) || (await isWholeInView(page, target))))
        continue;
      faults.push(`${id}: ${help}: ${node.html} ${node.failureSummary ?? ''}`);
    }
  return faults;
}

/** Returns true if an open popover covers a part of a target, which is whole again as soon as that closes. */
function isUnderPopover(page: Page, selector: string): Promise<boolean> {
  return page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return [...document.querySelectorAll(':popover-open')].some((popover) => {
        if (popover.contains(element)) return false;
        const over = popover.getBoundingClientRect();
        return over.left < right && left < over.right && over.top < bottom && top < over.bottom;
      });
    });
}

/** Returns true if a target that may be cut by the edge of a scroller is large enough once it is in view. */
async function isWholeInView(page: Page, selector: string): Promise<boolean> {
  await page.locator(selector).first().scrollIntoViewIfNeeded();
  const { violations } = await axeResults(page, { part: selector, runOnly: ['target-size'] });
  return violations.length === 0;
}

/** Finds elements wider than the window, texts that are cut without an ellipsis, and lines of which a box hides a part. */
export function cutIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const wide = root.scrollWidth > root.clientWidth ? [`the page: ${root.scrollWidth} px in ${root.clientWidth}`] : [];
    const cut = [...document.body.querySelectorAll<HTMLElement>('*')].filter((element) => {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '');
      if (!own || element.closest('svg, .visually-hidden, [inert], option') !== null) return false;
      const style = getComputedStyle(element);
      if (style.visibility === 'hidden' || style.clipPath !== 'none') return false;
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) return false;
      const beside = style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      const said = style.textOverflow === 'ellipsis' || element.closest('[title]') !== null;
      return (
        beside && style.overflowX !== 'auto' && style.overflowX !== 'scroll' && !said && style.display !== 'inline'
      );
    });
    // Sideways scrollers may have more content than fits: the table of models, code, charts.
    const outside = [...document.body.querySelectorAll<HTMLElement>('button, a, input, select, h1, h2, h3, p')].filter(
      (element) => {
        if (element.closest('[inert], .visually-hidden, .skip, dialog:not([open])') !== null) return false;
        const { left, right, width } = element.getBoundingClientRect();
        if (width === 0 || getComputedStyle(element).visibility === 'hidden') return false;
        if (left >= 0 && right <= root.clientWidth + 1) return false;
        for (let parent = element.parentElement; parent; parent = parent.parentElement) {
          const { overflowX } = getComputedStyle(parent);
          if (overflowX === 'auto' || overflowX === 'scroll') return false;
        }
        return true;
      },
    );
    // A row has a fixed height: its texts say how many lines they may have.
    const halved = [...document.body.querySelectorAll<HTMLElement>('*')].filter((element) => {
      const text = [...element.childNodes].find(
        (node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '',
      );
      if (!text || element.closest('svg, .visually-hidden, [inert], option') !== null) return false;
      const range = document.createRange();
      range.selectNodeContents(text);
      let lines = [...range.getClientRects()];
      for (let parent: HTMLElement | null = element; parent; parent = parent.parentElement) {
        const { overflowY, webkitLineClamp, visibility } = getComputedStyle(parent);
        const isSaid = webkitLineClamp !== 'none' || overflowY === 'auto' || overflowY === 'scroll';
        if (isSaid || visibility === 'hidden') return false;
        const { bottom: edge } = parent.getBoundingClientRect();
        // Like a scroller, a picture of a page may go on below the window.
        if (overflowY === 'visible' || edge >= innerHeight) continue;
        lines = lines.filter(({ top }) => top < edge - 2);
        if (lines.some(({ bottom }) => bottom > edge + 2)) return true;
      }
      return false;
    });
    const name = (element: HTMLElement): string =>
      `${element.tagName.toLowerCase()} "${element.innerText.slice(0, 60)}"`;
    return [
      ...wide,
      ...cut.slice(0, 5).map((element) => `cut: ${name(element)}`),
      ...halved.slice(0, 5).map((element) => `a line is cut: ${name(element)}`),
      ...outside.slice(0, 5).map((element) => `outside the window: ${name(element)}`),
    ];
  });
}
