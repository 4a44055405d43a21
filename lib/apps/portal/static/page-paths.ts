import { entryPaths } from '#lib/apps/web/static/entry-paths.ts';

/** Paths of the portal's pages; a parameter in braces is one segment. Router, server and CloudFront use them. */
export const portalPaths = {
  home: entryPaths.portal,
  payoutDetails: '/partner/payout-details',
  settings: '/partner/settings',
  overview: '/partner/programs/{id}',
  links: '/partner/programs/{id}/links',
  codes: '/partner/programs/{id}/codes',
  customers: '/partner/programs/{id}/customers',
  commissions: '/partner/programs/{id}/commissions',
  commission: '/partner/programs/{id}/commissions/{commission_id}',
  payouts: '/partner/programs/{id}/payouts',
  payout: '/partner/programs/{id}/payouts/{payout_id}',
  statement: '/partner/programs/{id}/statements/{number}',
  terms: '/partner/programs/{id}/terms',
  join: '/join/{program_id}',
  namedJoin: '/join/{program_id}/{slug}',
} as const;

type PortalPage = keyof typeof portalPaths;

export type PartnerPage = Exclude<PortalPage, 'home' | 'payoutDetails' | 'settings' | 'join' | 'namedJoin'>;

/** The id of the program to which a page belongs; undefined for pages of the account. */
export function programIdIn(path: string): number | undefined {
  const id = /^\/partner\/programs\/(\d+)(?:\/|$)/.exec(path)?.[1];
  return id === undefined ? undefined : Number(id);
}

/** Returns the address of a program's page. @param of id or name of what the page shows, if the path contains one */
export const partnerPath = (page: PartnerPage, programId: number, of?: string | number): string =>
  portalPaths[page].replace('{id}', String(programId)).replace(/\{\w+\}/, () => encodeURIComponent(of ?? ''));
