/** The settings of the installation for the dashboard: the body of `/config.json`. */
export interface DashboardSettings {
  /** The base URL of the API for brands, without a slash at the end. */
  readonly base_url: string;
  /** The name of the installation on pages that show no brand. */
  readonly product_name: string;
  readonly issuer: string;
  readonly client_id: string;
  /**
   * URL of the issuer's sign-in page: absolute, or a path of the dashboard's own origin. Null if the issuer could not
   * be reached.
   */
  readonly authorization_endpoint: string | null;
  readonly token_endpoint: string | null;
  /** The issuer's sign-out page; null when it has none. */
  readonly logout_endpoint: string | null;
  /** Whether brands may connect their Stripe account here; otherwise they use their own endpoints. */
  readonly stripe_connect: boolean;
  /** Currencies of sales and programs; the first is the default of a new program. */
  readonly currencies: readonly string[];
  /** Notice on the sign-in page. */
  readonly sign_in_hint: string | null;
}
