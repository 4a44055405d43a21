import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';

/**
 * Paths of the dashboard's pages; a parameter in braces is one segment. The router, the server and CloudFront use them.
 */
export const pagePaths = {
  home: entryPaths.dashboard,
  signedIn: entryPaths.signedIn,
  cliLogin: '/cli/login',
  members: '/members',
  audit: '/audit',
  newProgram: '/programs/new',
  overview: '/programs/{id}',
  setup: '/programs/{id}/setup',
  partners: '/programs/{id}/partners',
  partner: '/programs/{id}/partners/{partner_id}',
  links: '/programs/{id}/links',
  link: '/programs/{id}/links/{short_link}',
  codes: '/programs/{id}/codes',
  customers: '/programs/{id}/customers',
  customer: '/programs/{id}/customers/{click_id}',
  commissions: '/programs/{id}/commissions',
  payouts: '/programs/{id}/payouts',
  newPayout: '/programs/{id}/payouts/new',
  payout: '/programs/{id}/payouts/{payout_id}',
  payoutLine: '/programs/{id}/lines/{number}',
  statement: '/programs/{id}/statements/{number}',
  events: '/programs/{id}/events',
  payments: '/programs/{id}/payments',
  sale: '/programs/{id}/sale',
  search: '/programs/{id}/search',
  webhooks: '/programs/{id}/webhooks',
  webhook: '/programs/{id}/webhooks/{endpoint_id}',
  settings: '/programs/{id}/settings',
  settingsOf: '/programs/{id}/settings/{page}',
} as const;

type PageName = keyof typeof pagePaths;

export type ProgramPage = Exclude<PageName, 'home' | 'signedIn' | 'cliLogin' | 'members' | 'audit' | 'newProgram'>;

/** Returns the address of a program's page. @param of id or name of what the page shows, if the path contains one */
export const programPath = (page: ProgramPage, programId: number, of?: string | number): string =>
  pagePaths[page].replace('{id}', String(programId)).replace(/\{\w+\}/, () => encodeURIComponent(of ?? ''));
