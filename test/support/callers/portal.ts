import { apiClient } from '#test/support/callers/api-client.ts';

/** A client of the partner portal's API with this token. @example `await portal(token).get('/me')` */
export const portal = (key?: string) => apiClient('/api/partner/v1', key);
