import type { ComponentType } from 'preact';
import { type LazyPage, lazyPage } from '#lib/apps/web/lazy-page.ts';
import { PageNotLoaded } from '#lib/apps/web/parts/frame/page-not-loaded.tsx';
import type * as furtherPages from '#lib/apps/dashboard/pages/further-pages.ts';
import type { ProgramPage } from '#lib/apps/dashboard/static/page-paths.ts';

type Further = typeof furtherPages;
const loadFurther = (): Promise<Further> => import('#lib/apps/dashboard/pages/further-pages.ts');
const furtherPage = (name: keyof Further): LazyPage => lazyPage(async () => (await loadFurther())[name]);

/** The same page at two paths, so that it stays when the path changes. */
const settings = furtherPage('SettingsPage');

/** The pages of a program. Their scripts are loaded on demand, so that the first page loads little. */
export const programPages: Readonly<Record<ProgramPage, LazyPage>> = {
  overview: lazyPage(async () => (await import('#lib/apps/dashboard/pages/overview.tsx')).OverviewPage),
  setup: furtherPage('SetupPage'),
  partners: furtherPage('PartnersPage'),
  partner: furtherPage('PartnerPage'),
  links: furtherPage('LinksPage'),
  link: furtherPage('LinkPage'),
  codes: furtherPage('CodesPage'),
  customers: furtherPage('CustomersPage'),
  customer: furtherPage('CustomerPage'),
  commissions: furtherPage('CommissionsPage'),
  payouts: furtherPage('PayoutsPage'),
  newPayout: furtherPage('NewPayoutPage'),
  payout: furtherPage('PayoutPage'),
  payoutLine: furtherPage('PayoutLinePage'),
  statement: furtherPage('StatementPage'),
  events: furtherPage('EventsPage'),
  payments: furtherPage('PaymentsPage'),
  sale: furtherPage('SalePage'),
  search: furtherPage('SearchPage'),
  webhooks: furtherPage('WebhooksPage'),
  webhook: furtherPage('WebhookPage'),
  settings,
  settingsOf: settings,
};

/** Loads a page of the workspace when it is opened. */
export const loadWorkspacePage = (name: 'MembersPage' | 'AuditPage'): Promise<ComponentType> =>
  loadFurther().then(
    (pages) => pages[name],
    () => PageNotLoaded,
  );

/** Loads the notices above a program's pages, after the page. Without the script, pages have no notices. */
export const loadNotice = (): Promise<ComponentType | undefined> =>
  loadFurther().then(
    ({ WebhookNotice }) => WebhookNotice,
    () => undefined,
  );

/** Loads the scripts of all pages, so that a page opens without delay. */
export const preloadPages = (): Promise<unknown> =>
  Promise.all(Object.values(programPages).map(({ preload }) => preload()));
