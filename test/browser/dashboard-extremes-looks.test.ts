import { expect, it } from 'vitest';
import { newPerson, enterAs } from '#test/browser/support/dashboard.ts';
import { pagesOf } from '#test/browser/support/dashboard-pages.ts';
import { fillWithExtremes } from '#test/browser/support/extremes.ts';
import { findingsOn, lookingOptions } from '#test/browser/support/looks.ts';
import { openService } from '#test/browser/support/open-service.ts';

// What is hardest to show, on every page of the dashboard that shows it; dashboard-looks sees all of them with what is
// likely.

/** They show no name, identifier or amount of the program's partners and customers. */
const others = /^(?:setup.*|codes|payments|no-such-.*|search|webhooks.*|settings.*|replace-key|members|new-program)$/;

const { service, browser } = await openService();

// One test: which pages there are is known only when the service runs.
it('every page can be used by everybody at every width', { timeout: 600_000 }, async () => {
  await fillWithExtremes(service);
  const person = await newPerson(browser, service.url, lookingOptions);
  await enterAs(person.page, service.demo.owner_email, '/');
  await person.page.getByRole('heading', { name: 'Acme Pro' }).waitFor();
  const findings: string[] = [];
  const pages = await pagesOf(service);
  for (const seen of pages.filter(({ name }) => !others.test(name)))
    findings.push(...(await findingsOn(person, { ...seen, name: `extreme-${seen.name}` })));
  expect(findings).toEqual([]);
});
