// Addresses of pages that contain any text, such as a transaction id. The text is in the query, because not every text
// can be part of a path.

import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

/** The address of a sale's page. */
export const salePath = (programId: number, transactionId: string): string =>
  `${programPath('sale', programId)}?transaction=${encodeURIComponent(transactionId)}`;

export const searchPath = (programId: number, text: string): string =>
  `${programPath('search', programId)}?${new URLSearchParams({ q: text })}`;
