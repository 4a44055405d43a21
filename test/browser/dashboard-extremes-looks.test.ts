import { expect, it } from 'vitest';
import { newPerson, enterAs } from '#test/browser/support/dashboard.ts';
import { pagesOf } from '#test/browser/support/dashboard-pages.ts';
import { fillWithExtremes } from '#test/browser/support/extremes.ts';
import { findingsOn, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// Every page of the dashboard with what is hardest to show, as dashboard-looks does with what is likely.

const { service, browser } = await openService();

// One test: which pages there are is known only when the service runs.
it('every page can be used by everybody at every width', { timeout: 600_000 }, async () => {
  await fillWithExtremes(service);
  const person = await newPerson(browser, service.url, lookingOptions);
  await enterAs(person.page, service.demo.owner_email, '/');
  await person.page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
  const findings: string[] = [];
  for (const seen of await pagesOf(service))
    findings.push(...(await findingsOn(person, { ...seen, name: `extreme-${seen.name}` })));
  expect(findings).toEqual([]);
});
