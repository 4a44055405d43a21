/** What the dashboard must be told about its installation: the body of `/config.json`. */
export interface DashboardSettings {
  /** Where brands send their calls, without a slash at its end. */
  readonly base_url: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Absolute, or a path of the dashboard's own origin. Null: the issuer could not be asked for it. */
  readonly authorization_endpoint: string | null;
  readonly token_endpoint: string | null;
  /** Where the issuer forgets the person again; null when it has no such place. */
  readonly logout_endpoint: string | null;
  /** Whether brands may connect their Stripe account here; else they use endpoints of their own. */
  readonly stripe_connect: boolean;
  /** What people should know before they sign in. */
  readonly sign_in_hint: string | null;
}
