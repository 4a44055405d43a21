import type { DashboardSettings } from '#lib/wire/words/dashboard-settings.ts';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Demo } from '#infra/local/demo/demo.ts';
import { LOCAL_ISSUER_PATH } from '#infra/local/identity/local-identity.ts';

/**
 * The settings with which the dashboard of this local run signs people in. With the local issuer, its URLs have the
 * host name of the request. Any other issuer is asked for its URLs; if it does not answer, the dashboard says so.
 */
export async function dashboardSettings(
  { baseUrl, productName, openId, stripe, currencies }: Config,
  demo: Demo | null,
): Promise<DashboardSettings> {
  const { issuer = '', audience = '' } = openId;
  if (issuer === `${baseUrl}${LOCAL_ISSUER_PATH}`) {
    return {
      base_url: baseUrl,
      product_name: productName,
      issuer,
      client_id: audience,
      authorization_endpoint: `${LOCAL_ISSUER_PATH}/authorize`,
      token_endpoint: `${LOCAL_ISSUER_PATH}/token`,
      logout_endpoint: null,
      stripe_connect: stripe.connectClientId !== undefined,
      currencies,
      sign_in_hint: hintFor(demo),
    };
  }
  const discovered = await discoveryOf(issuer);
  return {
    base_url: baseUrl,
    product_name: productName,
    issuer,
    client_id: audience,
    authorization_endpoint: discovered.authorization_endpoint ?? null,
    token_endpoint: discovered.token_endpoint ?? null,
    logout_endpoint: discovered.end_session_endpoint ?? null,
    stripe_connect: stripe.connectClientId !== undefined,
    currencies,
    sign_in_hint: null,
  };
}

const hintFor = (demo: Demo | null): string =>
  `This is a local run: any e-mail address will do.${demo ? ` The demo belongs to ${demo.owner_email}; ${demo.partner.email} is a partner.` : ''}`;

const LONGEST_WAIT_MS = 5_000;

type Discovery = Readonly<Record<string, string | undefined>>;

async function discoveryOf(issuer: string): Promise<Discovery> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return (await response.json()) as Discovery;
  } catch (error) {
    console.error(
      `Nobody can sign in to the dashboard: ${url} cannot be read (${String(error)}). Is OIDC_ISSUER right?`,
    );
    return {};
  }
}
