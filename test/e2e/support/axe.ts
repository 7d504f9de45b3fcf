import axe from 'axe-core';
import type { Page } from 'playwright';

/** Rows of lists are named by title, source and time; their summary, which is visible too, is their description. */
const OF_ROWS = 'label-content-name-mismatch';

export interface AxeOptions {
  /** A CSS selector of the part that is checked. Default: all of the page. */
  part?: string;
  /** Rules that are turned on or off, by their ids. */
  rules?: Record<string, boolean>;
  /** The only rules that are used, by their ids. */
  runOnly?: string[];
}

type Found = Pick<axe.AxeResults, 'violations' | 'passes'>;

/**
 * Runs axe on the page as it is. Of what passes only the rules are returned, without elements. The page has to be opened
 * with `bypassCSP`: its policy would block the checker.
 */
export async function axeResults(page: Page, { part, rules = {}, runOnly }: AxeOptions = {}): Promise<Found> {
  const loaded = await page.evaluate(() => 'axe' in window);
  if (!loaded) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    rules: Object.fromEntries(Object.entries(rules).map(([id, enabled]) => [id, { enabled }])),
    // Otherwise style sheets and sounds are fetched, for two rules that have nothing to find here.
    preload: false,
    ...(runOnly && { runOnly }),
  };
  const { violations, passes } = await page.evaluate<Found, { part: string | undefined; options: axe.RunOptions }>(
    async ({ part: selector, options: chosen }) => {
      const checker = (window as unknown as { axe: typeof axe }).axe;
      const found = await checker.run(selector ?? document, chosen);
      // The rest of the answer is not sent.
      return { violations: found.violations, passes: found.passes };
    },
    { part, options },
  );
  const left = violations.map((violation) => {
    const nodes = violation.nodes.filter(({ html }) => violation.id !== OF_ROWS || !html.includes('role="option"'));
    return { ...violation, nodes };
  });
  return { violations: left.filter(({ nodes }) => nodes.length > 0), passes };
}
