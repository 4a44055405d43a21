import * as z from 'zod/mini';
import type { Currencies } from '#lib/service/ground/values/currency.ts';
import { addressOf } from '#lib/service/ground/addresses/email.ts';
import { isUnusedClickDays, unusedClickDaysRule } from '#lib/service/ground/config/click-life.ts';
import { nameOf } from '#lib/service/ground/values/name.ts';
import type { RecipientLimits } from '#lib/service/ground/values/rate-limits.ts';
import type { AddressPolicy } from '#lib/service/ground/addresses/webhook-address.ts';
import { currenciesProblem, currencyCodes } from '#lib/service/ground/config/currencies.ts';
import { settingDefaults } from '#lib/service/ground/config/setting-defaults.ts';
import { proxySecretHash, secretList } from '#lib/service/ground/config/secret-lists.ts';

const url = z
  .string()
  .check(z.regex(/^https?:\/\/\S*[^\s/]$/, 'must be an http or https URL without a trailing slash'));

const StorageEnvironment = z.object({
  TABLE_NAME: z.string('must be set'),
  DYNAMODB_ENDPOINT: z.optional(z.string()),
  AWS_REGION: z._default(z.string(), 'us-east-1'),
  REMEMBERED_READS_MS: z._default(z.string().check(z.regex(/^\d{1,4}$/, 'must be an integer from 0 to 9999')), '0'),
});

const isProductName = (text: string): boolean => nameOf(text) === text && text.length <= 40;
const unusedClickDays = z.string().check(z.refine(isUnusedClickDays, unusedClickDaysRule));
const recipients = z.string().check(z.regex(/^\d{1,5}$/, 'must be an integer from 0 to 99999'));

const Environment = z.extend(StorageEnvironment, {
  BASE_URL: url,
  DASHBOARD_URL: url,
  DOCS_URL: url,
  PRODUCT_NAME: z._default(
    z.string().check(z.refine(isProductName, 'must be a text of 1 to 40 characters')),
    settingDefaults.productName,
  ),
  EDGE_ONLY: z._default(z.enum(['true', 'false'], 'must be true or false'), 'false'),
  OIDC_ISSUER: z.optional(z.string()),
  OIDC_AUDIENCE: z.optional(z.string()),
  OIDC_JWKS_URL: z.optional(z.string()),
  SIGN_UP: z._default(
    z.enum(['open', 'invited'], { error: ({ input }) => `must be open or invited, not "${String(input)}"` }),
    settingDefaults.signUp,
  ),
  ALLOWED_EMAIL_DOMAINS: z.optional(
    z.string().check(
      z.refine((text) => emailDomains(text).every(isDomain), {
        error: ({ input }) =>
          `must be domains separated by commas, such as acme.com, not "${emailDomains(String(input)).find((one) => !isDomain(one))}"`,
      }),
    ),
  ),
  CURRENCIES: z._default(
    z.string().check(
      z.refine((text) => currenciesProblem(text) === undefined, {
        error: ({ input }) => currenciesProblem(String(input)),
      }),
    ),
    settingDefaults.currencies,
  ),
  PLATFORM_FEE_BPS: z._default(
    z
      .string()
      .check(
        z.refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 10_000, 'must be an integer from 0 to 10000'),
      ),
    settingDefaults.platformFeeBps,
  ),
  UNUSED_CLICK_DAYS: z._default(unusedClickDays, settingDefaults.unusedClickDays),
  KEYED_LEADS_PER_MINUTE: z.optional(
    z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'must be an integer from 1 to 999999')),
  ),
  NEW_RECIPIENTS_PER_DAY: z._default(recipients, settingDefaults.newRecipientsPerDay),
  MOST_NEW_RECIPIENTS_PER_DAY: z._default(recipients, settingDefaults.mostNewRecipientsPerDay),
  PROXY_SECRETS: z._default(
    z
      .string()
      .check(
        z.refine(
          (text) => secretList(text).every(({ length }) => length >= 16),
          'must have 16 characters or more each',
        ),
      ),
    '',
  ),
  STRIPE_WEBHOOK_SECRET: z._default(z.string(), ''),
  STRIPE_SECRET_KEY: z.optional(z.string()),
  STRIPE_SECRETS_ID: z.optional(z.string()),
  STRIPE_CONNECT_CLIENT_ID: z.optional(z.string()),
  STRIPE_CONNECT_BASE: z._default(url, 'https://connect.stripe.com'),
  STRIPE_API_BASE: z._default(url, 'https://api.stripe.com'),
  CANARY_SECRET_ID: z.optional(z.string()),
  VAULT_KEY_ID: z.optional(z.string()),
  VAULT_KEY_FILE: z.optional(z.string()),
  MAIL_FROM: z.optional(
    z.string().check(
      z.refine((text) => text === '' || addressOf(text) === text, {
        error: ({ input }) => `must be an e-mail address in lower case, not "${String(input)}"`,
      }),
    ),
  ),
  MAIL_ENDPOINT: z.optional(url),
  MAIL_CONFIGURATION_SET: z.optional(z.string()),
  WEBHOOK_QUEUE_URL: z.optional(z.string()),
  WEBHOOK_QUEUE_ENDPOINT: z.optional(url),
  WEBHOOK_ALLOW_LOOPBACK: z._default(z.enum(['0', '1'], 'must be 0 or 1'), '0'),
  EXPORTS_BUCKET: z.optional(z.string()),
  EXPORTS_FOLDER: z._default(z.string(), '.local/exports'),
});

/** Where the table is. An operator's command needs no other configuration. */
export interface StorageConfig {
  readonly tableName: string;
  readonly dynamodbEndpoint?: string;
  readonly region: string;
  /** How long a container may use a cached link or program for clicks before it reads it again. */
  readonly rememberedReadsMs: number;
}

/** Configuration of one installation. URLs have no trailing slash. */
export interface Config extends StorageConfig {
  readonly baseUrl: string;
  readonly dashboardUrl: string;
  readonly docsUrl: string;
  /** The name of this installation in pages and mails. */
  readonly productName: string;
  /** Requests must come through CloudFront; all others are rejected. */
  readonly isEdgeOnly: boolean;
  /** The OpenID issuer for sign-in. Undefined in functions that do not need it. */
  readonly openId: { readonly issuer?: string; readonly audience?: string; readonly jwksUrl?: string };
  /** Which people may create an account at first sign-in. Existing accounts can always sign in. */
  readonly signUp: {
    readonly isByInvitation: boolean;
    /** Allowed e-mail domains in lower case; undefined means all. */
    readonly emailDomains?: readonly string[];
  };
  /** Currencies that sales may use; the first is the default for a new program. */
  readonly currencies: Currencies;
  readonly platformFeeBps: number;
  /** How many days after the attribution window a click is kept whose visitor has neither signed up nor paid. */
  readonly unusedClickDays: number;
  /**
   * Requests per minute and program key for leads that contain a valid key. Undefined if these leads are counted per
   * client address like all others.
   */
  readonly keyedLeadsPerMinute?: number;
  /** How many people a workspace may invite by e-mail per day: while it is new, and when it is established. */
  readonly newRecipientsPerDay: RecipientLimits;
  /** SHA-256 hashes (hex) of the secrets with which brands' proxies may forward the visitor's address. */
  readonly proxySecretHashes: readonly string[];
  /** The platform's own Stripe account; set only in the functions that use it. */
  readonly stripe: {
    /** Signing secrets of the platform's webhook endpoint; several during a rotation. */
    readonly webhookSecrets: readonly string[];
    readonly secretKey?: string;
    /** On AWS: the id of the Secrets Manager secret that contains the two values above. */
    readonly secretsId?: string;
    readonly connectClientId?: string;
    readonly connectBase: string;
    readonly apiBase: string;
  };
  /** Id of the secret with the program key of the canary; set only in its function. */
  readonly canarySecretId?: string;
  /** The e-mails to partners and owners. */
  readonly mail: {
    /** Sender address; undefined means that no mail is sent. */
    readonly from?: string;
    /** Set to send e-mails to this endpoint instead of Amazon SES in the region. */
    readonly endpoint?: string;
    /** SES configuration set that reports bounces and complaints. */
    readonly configurationSet?: string;
  };
  /** Webhooks that send events to the brands' own systems. */
  readonly webhooks: AddressPolicy & {
    /** URL of the queue whose messages start the webhook sender; undefined if only the schedule starts it. */
    readonly queueUrl?: string;
    /** Set to send messages to this endpoint instead of Amazon SQS in the region. */
    readonly queueEndpoint?: string;
  };
  /** Storage for exports that are too large for a reply: a bucket, or a folder in a local run. */
  readonly exports: { readonly bucket?: string; readonly folder: string };
  /** The key that encrypts stored secrets: a KMS key, or in a local run a key from a file. */
  readonly vault: { readonly keyId?: string; readonly keyFile?: string };
}

/**
 * Splits a list of domains. An empty entry between two commas is not removed but matches no domain. So a mistyped list,
 * such as a single comma, does not allow everyone.
 */
const emailDomains = (text: string): readonly string[] => text.split(',').map((domain) => domain.trim().toLowerCase());

const isDomain = (text: string): boolean => /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(text);

export type Variables = Readonly<Record<string, string | undefined>>;

/** Parses the configuration from environment variables. @throws Error that names every missing or invalid variable */
export function configFrom(environment: Variables): Config {
  const data = readAs(Environment, environment);
  return {
    ...storageOf(data),
    baseUrl: data.BASE_URL,
    dashboardUrl: data.DASHBOARD_URL,
    docsUrl: data.DOCS_URL,
    productName: data.PRODUCT_NAME,
    isEdgeOnly: data.EDGE_ONLY === 'true',
    openId: { issuer: data.OIDC_ISSUER, audience: data.OIDC_AUDIENCE, jwksUrl: data.OIDC_JWKS_URL },
    signUp: {
      isByInvitation: data.SIGN_UP === 'invited',
      emailDomains: data.ALLOWED_EMAIL_DOMAINS === undefined ? undefined : emailDomains(data.ALLOWED_EMAIL_DOMAINS),
    },
    currencies: currencyCodes(data.CURRENCIES),
    platformFeeBps: Number(data.PLATFORM_FEE_BPS),
    unusedClickDays: Number(data.UNUSED_CLICK_DAYS),
    keyedLeadsPerMinute: data.KEYED_LEADS_PER_MINUTE === undefined ? undefined : Number(data.KEYED_LEADS_PER_MINUTE),
    newRecipientsPerDay: {
      atFirst: Number(data.NEW_RECIPIENTS_PER_DAY),
      later: Number(data.MOST_NEW_RECIPIENTS_PER_DAY),
    },
    proxySecretHashes: secretList(data.PROXY_SECRETS).map(proxySecretHash),
    stripe: {
      webhookSecrets: secretList(data.STRIPE_WEBHOOK_SECRET),
      secretKey: data.STRIPE_SECRET_KEY,
      secretsId: data.STRIPE_SECRETS_ID,
      connectClientId: data.STRIPE_CONNECT_CLIENT_ID,
      connectBase: data.STRIPE_CONNECT_BASE,
      apiBase: data.STRIPE_API_BASE,
    },
    canarySecretId: data.CANARY_SECRET_ID,
    mail: {
      from: data.MAIL_FROM || undefined,
      endpoint: data.MAIL_ENDPOINT,
      configurationSet: data.MAIL_CONFIGURATION_SET,
    },
    webhooks: {
      queueUrl: data.WEBHOOK_QUEUE_URL,
      queueEndpoint: data.WEBHOOK_QUEUE_ENDPOINT,
      allowsLoopback: data.WEBHOOK_ALLOW_LOOPBACK === '1',
      own: [data.BASE_URL, data.DASHBOARD_URL],
    },
    exports: { bucket: data.EXPORTS_BUCKET, folder: data.EXPORTS_FOLDER },
    vault: { keyId: data.VAULT_KEY_ID, keyFile: data.VAULT_KEY_FILE },
  };
}

/**
 * Parses the location of the table from environment variables.
 * @throws Error that names every missing or invalid variable
 */
export const storageConfigFrom = (environment: Variables): StorageConfig =>
  storageOf(readAs(StorageEnvironment, environment));

const storageOf = (data: z.output<typeof StorageEnvironment>): StorageConfig => ({
  tableName: data.TABLE_NAME,
  dynamodbEndpoint: data.DYNAMODB_ENDPOINT,
  region: data.AWS_REGION,
  rememberedReadsMs: Number(data.REMEMBERED_READS_MS),
});

function readAs<Schema extends z.ZodMiniType>(schema: Schema, environment: Variables): z.output<Schema> {
  const parsed = schema.safeParse(environment);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`Configuration: ${problems.join('; ')}`);
}
