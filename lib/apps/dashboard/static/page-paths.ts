/**
 * The paths of the application's pages; parameters in braces are one segment. The router, the server and CloudFront
 * read it.
 */
export const pagePaths = {
  home: '/',
  signedIn: '/signed-in',
  cliLogin: '/cli/login',
  members: '/members',
  newProgram: '/programs/new',
  overview: '/programs/{id}',
  setup: '/programs/{id}/setup',
  partners: '/programs/{id}/partners',
  links: '/programs/{id}/links',
  commissions: '/programs/{id}/commissions',
  events: '/programs/{id}/events',
  sale: '/programs/{id}/sale',
  settings: '/programs/{id}/settings',
} as const;

export type ProgramPage = 'overview' | 'setup' | 'partners' | 'links' | 'commissions' | 'events' | 'sale' | 'settings';

/** The address of a program's page. */
export const programPath = (page: ProgramPage, programId: number): string =>
  pagePaths[page].replace('{id}', String(programId));
