import axe, { type Result } from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds on the page, however light; one line for each place. The page must have been opened past its policy. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const findings = await page.evaluate(async (): Promise<Result[]> => {
    const { axe: inPage } = globalThis as unknown as { axe: typeof axe };
    const { violations } = await inPage.run();
    return violations;
  });
  return findings.flatMap(({ id, impact, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${impact} ${id} ${String(target)} ${failureSummary}`),
  );
}
