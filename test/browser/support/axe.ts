import axe from 'axe-core';
import type { Page } from 'playwright-core';

/**
 * Returns the axe violations of the page or its open dialog, one line each. Of each table, axe checks only rows that
 * differ from the rows above in more than their text. The page must be opened without its policy.
 * @param rules all rules, or only those that depend on the colour scheme
 */
export async function accessibilityFindings(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const findings = await page.evaluate(async (which) => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };

    // oxlint-disable-next-line unicorn/consistent-function-scoping -- all of it runs in the page
    const kindOf = (cell: Element): string =>
      [cell, ...cell.querySelectorAll('*')]
        .map(({ tagName, className, attributes, textContent }) => {
          const given = [...attributes].map(({ name, value }) => `${name}${value === '' ? ' is empty' : ''}`);
          return [tagName, className, textContent === '', ...given].join(' ');
        })
        .join('\n');
    const alike = [...document.querySelectorAll('tbody')].flatMap((body) => {
      const seen = new Set<string>();
      return [...body.rows].filter((row) => {
        const kinds = [row.className, ...[...row.cells].map((cell, column) => `${column} ${kindOf(cell)}`)];
        const isNew = kinds.some((kind) => !seen.has(kind));
        for (const kind of kinds) seen.add(kind);
        return !isNew;
      });
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
