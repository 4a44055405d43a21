import { jsonOf, requestTo } from '#lib/apps/web/api/api.ts';

/** The path of sessions, which the dashboard and the portal share. */
const SESSION = '/api/dashboard/v1/session';

/** Exchanges the issuer's `id_token` for a token of this service. @throws ApiError */
export async function tokenFor(idToken: string): Promise<string> {
  const response = await requestTo(SESSION, { method: 'POST', body: { id_token: idToken } });
  const { data } = await jsonOf<{ readonly data: { readonly token: string } }>(response);
  return data.token;
}

/** Revokes a token of this service. @throws ApiError */
export async function revoke(token: string): Promise<void> {
  await requestTo(SESSION, { method: 'DELETE', token, body: {} });
}
