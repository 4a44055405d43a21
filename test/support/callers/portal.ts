import { apiClient } from '#test/support/callers/api-client.ts';

/** Returns a client of the partner portal's API that sends this token. @example `await portal(token).get('/me')` */
export const portal = (key?: string) => apiClient('/api/partner/v1', key);
