import { type Call, type Request, succeed } from '#test/live/caller.ts';

/** A program with its key, a partner and a link. It is created through the API, as a new owner would do it. */
export interface Brand {
  readonly name: string;
  readonly programId: number;
  readonly workspaceId: number;
  readonly partnerId: number;
  readonly shortLink: string;
  readonly affiliateUrl: string;
  /** The owner's login token. */
  readonly token: string;
  /** The program key. */
  readonly key: string;
}

/** Creates a program through the API. Default: its commissions are 20 percent. @param name unique in the service */
export async function newBrand(call: Call, name: string, settings: object = {}): Promise<Brand> {
  const domain = `${name}.test`;
  const { id_token } = await succeed(call, { path: '/local/oidc/token', body: { email: `owner@${domain}` } });
  const session = await succeed(call, { path: '/api/dashboard/v1/session', body: { id_token } });
  const { token } = session.data as { token: string };
  const create = async (path: string, body: object) =>
    (await succeed(call, { path: `/api/dashboard/v1${path}`, key: token, body })).data;

  const workspace = await create('/workspace', { name });
  const terms = { commission_type: 'percent', commission_rate: 20 };
  const { id } = await create('/programs', { name, domain, ...terms, ...settings });
  const { api_key: key } = await create(`/programs/${id}/api-key`, {});
  const partner = await create(`/programs/${id}/partners`, { name: 'Ana', email: 'ana@partners.test' });
  await create(`/programs/${id}/links`, { partner_id: partner.id, short_link: name });
  return {
    name,
    programId: id,
    workspaceId: workspace.id,
    partnerId: partner.id,
    shortLink: name,
    affiliateUrl: `https://${domain}/?aff=${name}`,
    token,
    key,
  };
}

/** Sends a visitor's first click. @returns the click id */
export const clicked = async (call: Call, { affiliateUrl }: Brand): Promise<string> =>
  (await succeed(call, { path: '/api/v1/track/click', body: { affiliate_url: affiliateUrl } })).click_id;

/** Sends a visitor's click, and the sign-up under this customer key. @returns the click id */
export async function signedUp(call: Call, brand: Brand, customerKey: string): Promise<string> {
  const clickId = await clicked(call, brand);
  await succeed(call, leadOf(brand, { click_id: clickId, customer_key: customerKey }));
  return clickId;
}

export const leadOf = ({ key }: Pick<Brand, 'key'>, body: object): Request => ({
  path: '/api/v1/track/lead',
  key,
  body,
});
export const saleOf = ({ key }: Pick<Brand, 'key'>, body: object): Request => ({
  path: '/api/v1/track/sale',
  key,
  body,
});
export const refundOf = ({ key }: Pick<Brand, 'key'>, body: object): Request => ({
  path: '/api/v1/track/refund',
  key,
  body,
});
