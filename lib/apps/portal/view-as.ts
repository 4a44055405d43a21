import type { Api } from '#lib/apps/web/api/api.ts';

/** The query parameter with the id of a partner whose pages an owner is viewing. */
export const VIEW_AS = 'as';

const asPartner = (path: string, partnerId: string): string => `${path}?${VIEW_AS}=${encodeURIComponent(partnerId)}`;

/**
 * The API as the partner sees it. The service lets owners read it, and rejects every change.
 * @param partnerId as in the address
 */
export const apiAs = (api: Api, partnerId: string): Api => ({
  ...api,
  answer: (path, query) => api.answer(path, { ...query, [VIEW_AS]: partnerId }),
  get: (path, query) => api.get(path, { ...query, [VIEW_AS]: partnerId }),
  download: (path, query) => api.download(path, { ...query, [VIEW_AS]: partnerId }),
  send: (method, path, body) => api.send(method, asPartner(path, partnerId), body),
  upload: (path, file) => api.upload(asPartner(path, partnerId), file),
});
