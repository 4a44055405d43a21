import { apiAt } from '#lib/apps/web/api/api.ts';

/** The API for pages that are public. It sends no token. */
export const openApi = apiAt(
  '/api/partner/v1',
  () => '',
  () => {},
);
