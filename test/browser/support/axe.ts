import axe, { type Result, type RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

/** Rules that another colour scheme may break; whatever the scheme, the others find the same. */
export const COLOUR_RULES: readonly string[] = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds on the page, however light; one line for each place. The page must have been opened past its policy.
 * @param rules all of them unless some are named
 */
export async function accessibilityFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const options: RunOptions = rules ? { runOnly: { type: 'rule', values: [...rules] } } : {};
  const findings = await page.evaluate(async (wanted): Promise<Result[]> => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inPage.run(wanted);
    return violations;
  }, options);
  return findings.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id} ${String(target)} ${failureSummary}`),
  );
}
