import { type LazyPage, lazyPage } from '#lib/apps/web/lazy-page.ts';
import type * as furtherPages from '#lib/apps/portal/pages/further-pages.ts';
import type { PartnerPage } from '#lib/apps/portal/static/page-paths.ts';

const furtherPage = (name: keyof typeof furtherPages): LazyPage =>
  lazyPage(async () => (await import('#lib/apps/portal/pages/further-pages.ts'))[name]);

/** The pages of a program. Their scripts are loaded when needed, so that the first page has little to load. */
export const partnerPages: Readonly<Record<PartnerPage, LazyPage>> = {
  overview: lazyPage(async () => (await import('#lib/apps/portal/pages/overview.tsx')).OverviewPage),
  links: furtherPage('LinksPage'),
  codes: furtherPage('CodesPage'),
  customers: furtherPage('CustomersPage'),
  commissions: furtherPage('CommissionsPage'),
  commission: furtherPage('CommissionPage'),
  payouts: furtherPage('PayoutsPage'),
  payout: furtherPage('PayoutPage'),
  statement: furtherPage('StatementPage'),
  terms: furtherPage('TermsPage'),
};

export const PayoutDetailsPage = furtherPage('PayoutDetailsPage');
export const SettingsPage = furtherPage('SettingsPage');

/** Loads the scripts of all pages, so that a page opens without delay. */
export const preloadPages = (): Promise<unknown> =>
  Promise.all(Object.values(partnerPages).map(({ preload }) => preload()));
