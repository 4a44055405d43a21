import type { OpenIdIssuer, Settings } from '#infra/aws/settings.ts';
import { configFrom } from '#lib/service/ground/config/config.ts';
import { hashedProxySecrets } from '#lib/service/ground/config/secret-lists.ts';

/**
 * Returns the environment of the functions. It is validated here with the functions' own parser, so that a wrong
 * setting fails the synthesis and not the first request.
 */
export function functionEnvironment(
  settings: Settings,
  deployed: { readonly baseUrl: string; readonly tableName: string },
) {
  const { baseUrl } = deployed;
  const environment = {
    TABLE_NAME: deployed.tableName,
    BASE_URL: baseUrl,
    DASHBOARD_URL: baseUrl,
    EDGE_ONLY: String(settings.edgeOnly),
    DOCS_URL: settings.docsUrl ?? `${baseUrl}/docs/errors`,
    ...(settings.productName !== undefined && { PRODUCT_NAME: settings.productName }),
    PLATFORM_FEE_BPS: settings.platformFeeBps,
    ...(settings.currencies !== undefined && { CURRENCIES: settings.currencies }),
    // One second is short, yet long enough that the item of the busiest link or program is read less than 3,000 times a
    // second.
    REMEMBERED_READS_MS: '1000',
    ...(settings.signUp !== undefined && { SIGN_UP: settings.signUp }),
    ...(settings.allowedEmailDomains !== undefined && { ALLOWED_EMAIL_DOMAINS: settings.allowedEmailDomains }),
    ...(settings.proxySecrets && { PROXY_SECRETS: settings.proxySecrets }),
    ...(settings.unusedClickDays !== undefined && { UNUSED_CLICK_DAYS: settings.unusedClickDays }),
    ...(settings.keyedLeadsPerMinute && { KEYED_LEADS_PER_MINUTE: settings.keyedLeadsPerMinute }),
    ...(settings.newRecipientsPerDay !== undefined && { NEW_RECIPIENTS_PER_DAY: settings.newRecipientsPerDay }),
    ...(settings.mostNewRecipientsPerDay !== undefined && {
      MOST_NEW_RECIPIENTS_PER_DAY: settings.mostNewRecipientsPerDay,
    }),
    ...(settings.stripeConnectClientId && { STRIPE_CONNECT_CLIENT_ID: settings.stripeConnectClientId }),
  };
  configFrom(environment);
  // The plain secrets have been validated above; the template gets only their hashes.
  return { ...environment, ...(settings.proxySecrets && { PROXY_SECRETS: hashedProxySecrets(settings.proxySecrets) }) };
}

/** Additional environment variables of functions that sign people in. */
export const signInEnvironment = ({ issuer, audience, jwksUrl }: OpenIdIssuer) => ({
  OIDC_ISSUER: issuer,
  OIDC_AUDIENCE: audience,
  OIDC_JWKS_URL: jwksUrl,
});
