import { jsonOf, requestTo } from '#lib/apps/dashboard/api.ts';

/** What `/config.json` says about this installation. */
export interface Installation {
  /** Where brands send their calls. */
  readonly base_url: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly authorization_endpoint: string | null;
  readonly token_endpoint: string | null;
  readonly logout_endpoint: string | null;
  readonly stripe_connect: boolean;
  readonly sign_in_hint: string | null;
}

/** @throws ApiError */
export const loadInstallation = async (): Promise<Installation> =>
  jsonOf(await requestTo('/config.json', { method: 'GET' }));
