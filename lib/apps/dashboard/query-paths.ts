// Pages that are addressed by a text of any form: a path cannot carry every one.

import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

/** The address of a sale's page. */
export const salePath = (programId: number, transactionId: string): string =>
  `${programPath('sale', programId)}?transaction=${encodeURIComponent(transactionId)}`;

/** The address of a search. */
export const searchPath = (programId: number, text: string): string =>
  `${programPath('search', programId)}?${new URLSearchParams({ q: text })}`;
