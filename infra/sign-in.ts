import { Construct } from 'constructs';
import type { DashboardSettings } from '#infra/dashboard-settings.ts';
import { Identity } from '#infra/identity.ts';
import type { OpenIdIssuer, Settings } from '#infra/settings.ts';
import type { Stage } from '#infra/stages.ts';

type Pages = Pick<
  DashboardSettings,
  'issuer' | 'client_id' | 'authorization_endpoint' | 'token_endpoint' | 'logout_endpoint'
>;

/** Who signs people in: a user pool of our own, or the issuer that the settings name. */
export class SignIn extends Construct {
  /** Whom the dashboard calls for its tokens. */
  readonly origin: string;
  readonly #openId?: OpenIdIssuer;
  readonly #identity?: Identity;

  constructor(scope: Construct, id: string, settings: Settings, stage: Stage) {
    super(scope, id);
    this.#openId = settings.openId;
    if (!settings.openId) this.#identity = new Identity(this, 'Identity', { ...settings, stage });
    this.origin = settings.openId ? new URL(settings.openId.issuer).origin : this.#identity!.signInUrl;
  }

  /** @param dashboardUrl to which people return */
  serve(dashboardUrl: string): OpenIdIssuer {
    return this.#openId ?? this.#identity!.serve(dashboardUrl);
  }

  /** Where the dashboard sends people, and where it gets its tokens. Another issuer is asked for that. */
  pages({ issuer, audience }: OpenIdIssuer): Pages {
    const own = this.#identity?.signInUrl;
    return {
      issuer,
      client_id: audience,
      authorization_endpoint: own ? `${own}/oauth2/authorize` : null,
      token_endpoint: own ? `${own}/oauth2/token` : null,
      logout_endpoint: own ? `${own}/logout` : null,
    };
  }
}
