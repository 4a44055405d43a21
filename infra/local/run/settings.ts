import { LOCAL_QUEUE_PATH } from '#infra/local/stream/wake-queue.ts';
import { LOCAL_MAIL_PATH } from '#infra/local/mail/mail-routes.ts';
import { LOCAL_AUDIENCE, LOCAL_ISSUER_PATH } from '#infra/local/identity/local-identity.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** `small` has two partners and their links; `full` has eight partners and a history of events. */
export type DemoSize = 'none' | 'small' | 'full';

export interface LocalSettings {
  /** The port; 0 for any free port. */
  readonly port: number;
  /** Folder for the data. If undefined, the data are kept in memory only. */
  readonly dataDir?: string;
  /** Endpoint of a DynamoDB engine to use instead of the embedded one. */
  readonly dynamodbEndpoint?: string;
  readonly demo: DemoSize;
  /**
   * Folder with bundled functions, which then run as they are deployed. If undefined, the functions run from source.
   */
  readonly functionsFolder?: string;
}

/**
 * Reads the settings from environment variables. An empty variable counts as unset.
 * @throws Error for an invalid PORT or DEMO
 */
export const localSettings = (environment: Environment): LocalSettings => ({
  port: portOf(environment.PORT || '8787'),
  dataDir: environment.DATA_DIR || undefined,
  dynamodbEndpoint: environment.DYNAMODB_ENDPOINT || undefined,
  demo: demoOf(environment.DEMO || '1'),
  functionsFolder: environment.FUNCTIONS || undefined,
});

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Error(`PORT must be a number from 0 to 65535, not ${text}`);
  return Number(text);
}

function demoOf(text: string): DemoSize {
  const sizes: Readonly<Record<string, DemoSize>> = { 0: 'none', 1: 'full', small: 'small' };
  const size = Object.hasOwn(sizes, text) ? sizes[text] : undefined;
  if (!size) throw new Error(`DEMO must be 1, small or 0, not ${text}`);
  return size;
}

export const LOCAL_TABLE_NAME = 'service-local';

/** Adds a local run's defaults to the environment of the service. */
export function withLocalDefaults(environment: Environment, address: string, dynamodbEndpoint: string): Environment {
  const baseUrl = environment.BASE_URL ?? address;
  return {
    TABLE_NAME: LOCAL_TABLE_NAME,
    AWS_REGION: 'us-east-1',
    BASE_URL: baseUrl,
    DASHBOARD_URL: address,
    DOCS_URL: `${baseUrl}/docs/errors`,
    OIDC_ISSUER: `${baseUrl}${LOCAL_ISSUER_PATH}`,
    OIDC_AUDIENCE: LOCAL_AUDIENCE,
    // The URL of the keys has the address on which this run listens, because the configured base URL may lead
    // elsewhere.
    OIDC_JWKS_URL: `${address}${LOCAL_ISSUER_PATH}/jwks.json`,
    MAIL_FROM: 'referrals@local.test',
    SECURITY_CONTACT: 'security@local.test',
    WEBHOOK_ALLOW_LOOPBACK: '1',
    ...environment,
    MAIL_ENDPOINT: `${address}${LOCAL_MAIL_PATH}`,
    WEBHOOK_QUEUE_URL: `${address}${LOCAL_QUEUE_PATH}`,
    WEBHOOK_QUEUE_ENDPOINT: `${address}${LOCAL_QUEUE_PATH}`,
    DYNAMODB_ENDPOINT: dynamodbEndpoint,
  };
}
