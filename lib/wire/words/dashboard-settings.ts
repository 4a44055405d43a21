/** The dashboard's settings of its installation: the body of `/config.json`. */
export interface DashboardSettings {
  /** Where brands send their calls, without a slash at its end. */
  readonly base_url: string;
  readonly issuer: string;
  readonly client_id: string;
  /** Absolute, or a path of the dashboard's own origin. Null: the issuer did not answer. */
  readonly authorization_endpoint: string | null;
  readonly token_endpoint: string | null;
  /** The issuer's sign-out page; null when it has none. */
  readonly logout_endpoint: string | null;
  /** Whether brands may connect their Stripe account here; otherwise they use their own endpoints. */
  readonly stripe_connect: boolean;
  /** What sales and programs may be in; the first is a new program's. */
  readonly currencies: readonly string[];
  /** Notice on the sign-in page. */
  readonly sign_in_hint: string | null;
}
