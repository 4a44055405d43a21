import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * What axe finds on the page, or in the dialog that is open on it; one line for each place. Of rows of a table that differ
 * in nothing but their words it looks at the first. The page must have been opened past its policy.
 * @param rules all of them, or those whose result may depend on the colour scheme
 */
export async function accessibilityFindings(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const findings = await page.evaluate(async (which) => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of it runs in the page
    const kindOf = (row: Element): string =>
      [row, ...row.querySelectorAll('*')]
        .map(({ tagName, className, attributes, textContent }) => {
          const given = [...attributes].map(({ name, value }) => `${name}${value === '' ? ' is empty' : ''}`);
          return [tagName, className, textContent === '', ...given].join(' ');
        })
        .join('\n');
    const alike = [...document.querySelectorAll('tbody')].flatMap((body) => {
      const kinds = new Set<string>();
      return [...body.rows].filter((row) => kinds.size === kinds.add(kindOf(row)).size);
    });
    const include = document.querySelector('dialog[open]') ?? document;
    const { violations } = await inPage.run(
      { include, exclude: alike },
      {
        resultTypes: ['violations'],
        preload: false,
        ...(which === 'colours' && { runOnly: ['color-contrast', 'link-in-text-block'] }),
      },
    );
    return violations;
  }, rules);
  return findings.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id} ${String(target)} ${failureSummary}`),
  );
}
