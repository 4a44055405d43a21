import { Construct } from 'constructs';
import type { DashboardSettings } from '#lib/wire/words/dashboard-settings.ts';
import { Identity } from '#infra/aws/people/identity.ts';
import type { OpenIdIssuer, Settings, SignInPages } from '#infra/aws/settings.ts';
import type { Stage } from '#infra/aws/stages.ts';

/** The OpenID Connect issuer that people sign in with: a user pool in this stack, or the issuer in the settings. */
export class SignIn extends Construct {
  /** The origin of the issuer's token endpoint, which the pages call. */
  readonly origin: string;
  readonly #pages: SignInPages;
  readonly #issuerFor: (dashboardUrl: string) => OpenIdIssuer;

  constructor(scope: Construct, id: string, settings: Settings, stage: Stage) {
    super(scope, id);
    const { openId } = settings;
    if (openId) {
      this.#pages = openId;
      this.#issuerFor = () => openId;
      this.origin = new URL(openId.tokenUrl).origin;
    } else {
      const identity = new Identity(this, 'Identity', { ...settings, stage });
      this.#pages = identity.pages;
      this.#issuerFor = (dashboardUrl) => identity.serve(dashboardUrl);
      this.origin = identity.signInUrl;
    }
  }

  /**
   * Returns the issuer's settings for the functions that sign people in, after registering the dashboard with the
   * stack's user pool, if there is one.
   * @param dashboardUrl URL to which people return after the sign-in
   */
  serve(dashboardUrl: string): OpenIdIssuer {
    return this.#issuerFor(dashboardUrl);
  }

  /** The issuer's settings for the dashboard. */
  dashboardSettings({
    issuer,
    audience,
  }: OpenIdIssuer): Omit<DashboardSettings, 'base_url' | 'product_name' | 'stripe_connect' | 'currencies'> {
    const { authorizationUrl, tokenUrl, logoutUrl } = this.#pages;
    return {
      issuer,
      client_id: audience,
      authorization_endpoint: authorizationUrl,
      token_endpoint: tokenUrl,
      logout_endpoint: logoutUrl ?? null,
      sign_in_hint: null,
    };
  }
}
