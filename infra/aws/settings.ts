import type { Node } from 'constructs';
import type { RestoredTable } from '#infra/aws/data/data-table.ts';
import type { MailSender } from '#infra/aws/people/mail.ts';
import type { Variables } from '#lib/service/ground/config/config.ts';
import type { SettingName } from '#infra/aws/setting-rules.ts';
import { readTexts, type SettingTexts, stageFrom } from '#infra/aws/setting-texts.ts';
import type { StageName } from '#infra/aws/stages.ts';

/** The OpenID Connect issuer, for functions that verify its tokens. */
export interface OpenIdIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

/** URLs of the issuer's pages, for sign-in and token requests of the dashboard. */
export interface SignInPages {
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  /** The issuer's sign-out page; undefined if the issuer has none. */
  readonly logoutUrl?: string;
}

/** The settings of a deployment, from `infra/stages/<stage>.json`, overridden by `npx cdk deploy -c name=value`. */
export interface Settings {
  readonly stage: StageName;
  /** The texts of all settings by name, including defaults. */
  readonly texts: SettingTexts;
  /** If true, nothing has deletion protection, so that a failed first deployment can be rolled back. Default: false. */
  readonly firstDeployment: boolean;
  /** The company's host name. Its certificate must be in us-east-1. Default: the distribution's own name. */
  readonly domainName?: string;
  readonly certificateArn?: string;
  /** A web ACL with scope CLOUDFRONT for the distribution. Default: none. */
  readonly webAclArn?: string;
  /** If true, CloudFront logs every request with the visitor's address to a bucket, for 90 days. Default: false. */
  readonly edgeLog: boolean;
  /** E-mail address for alarms. Default: none. */
  readonly alarmEmail?: string;
  /** US dollars a month; `alarmEmail` gets a mail if the account costs more. Default: no budget. */
  readonly monthlyBudgetUsd?: number;
  /** If true, a function sends test events through the public URL every five minutes. Default: false. */
  readonly canary: boolean;
  /** Contact for vulnerability reports: an e-mail or https address. Default: there is no security.txt. */
  readonly securityContact?: string;
  /** Reserved concurrency of each of the two functions that receive clicks and leads. Default: none is reserved. */
  readonly publicConcurrency?: number;
  /** The number of webhook endpoints that are served concurrently, each by one run of the function. Default: 2. */
  readonly webhookConcurrency: number;
  /** A restored table that the service uses, from `tableName` and `tableStreamArn`. Default: the stack's own table. */
  readonly restoredTable?: RestoredTable;
  /** A region in which the table has a replica. Default: none. */
  readonly replicaRegion?: string;
  /** A vault of AWS Backup in another region or account, into which each daily backup is copied. Default: none. */
  readonly backupVaultArn?: string;
  /**
   * ARN of a replica, in this region, of the encryption key of a lost installation. With it, the data of that
   * installation can be decrypted. Default: a new key.
   */
  readonly vaultKeyArn?: string;
  /** If true, the API's own URL rejects requests, so that none bypasses CloudFront and its web ACL. Default: true. */
  readonly edgeOnly: boolean;
  /** Any text. Changing it replaces the secret between CloudFront and the functions by a new one. */
  readonly edgeSecretVersion: string;
  /** The URL of the error documentation. Default: the installation's own `/docs/errors`. */
  readonly docsUrl?: string;
  /** The installation's name on pages and in mails, 1 to 40 characters. Default: Referrals. */
  readonly productName?: string;
  /** `open` or `invited`: who may create an account at the first sign-in. Default: open. */
  readonly signUp?: string;
  /** Domains of the e-mail addresses with which people may create an account, separated by commas. Default: all. */
  readonly allowedEmailDomains?: string;
  /** ISO 4217 codes, separated by commas; the first is the default of new programs. Default: USD,EUR,VND. */
  readonly currencies?: string;
  /** The operator's fee in basis points, default 350. */
  readonly platformFeeBps: string;
  /** Days after the attribution window for which unused clicks are kept. Default: 90. */
  readonly unusedClickDays?: string;
  /** How many leads per minute one program key may send. Default: no limit per key, but 30 per client address. */
  readonly keyedLeadsPerMinute?: string;
  /** How many new people a workspace may invite by mail per day. Default: 50, and 500 for an established workspace. */
  readonly newRecipientsPerDay?: string;
  readonly mostNewRecipientsPerDay?: string;
  /** Secrets that brands' proxies send, separated by commas. Default: no proxy may forward visitors' addresses. */
  readonly proxySecrets?: string;
  /** Client id of the platform's Stripe account. Default: each brand adds a webhook endpoint in Stripe itself. */
  readonly stripeConnectClientId?: string;
  /**
   * The issuer that `oidcIssuer`, `oidcAudience`, `oidcJwksUrl` and similar settings describe. Default: a Cognito user
   * pool in the stack.
   */
  readonly openId?: OpenIdIssuer & SignInPages;
  /** Prefix of the host name of Cognito's sign-in page. Default: a unique one. */
  readonly signInPrefix?: string;
  /** Sender and SES identity for the user pool's mails. Default: Cognito sends them itself, at most 50 a day. */
  readonly mailSender?: MailSender;
  /** Sender and SES identity for the service's own mails. Default: none are sent. */
  readonly mail?: MailSender;
  /** If true, sign-in requires a second factor, a code from an authenticator app. Default: only in production. */
  readonly requireMfa: boolean;
  /** If true, Cognito checks for stolen passwords and unusual sign-ins, at a price per user. Default: false. */
  readonly threatProtection: boolean;
}

/** A variable for local runs only: it allows webhooks to addresses of this machine. */
const LOOPBACK = 'WEBHOOK_ALLOW_LOOPBACK';

/**
 * The settings of the deployment, from the stage's file, the CDK context and the environment.
 * @param variables environment of the process
 * @param stagesFolder folder of the stages' files; if undefined, no file is read
 * @throws Error for an invalid setting. URLs, currencies, fee and sign-up are validated with the functions' environment
 */
export function settingsFrom(node: Node, variables: Variables = {}, stagesFolder?: string): Settings {
  // A deployment would silently ignore this variable, so setting it is an error.
  if ((node.tryGetContext(LOOPBACK) ?? variables[LOOPBACK] ?? '0') !== '0') {
    throw new Error(`${LOOPBACK} is for the local run: functions on AWS never send to addresses that are not public`);
  }
  const stage = stageFrom(node);
  const { given, texts } = readTexts(node, stage, stagesFolder);
  return {
    stage,
    texts,
    firstDeployment: isOn(texts, 'firstDeployment'),
    ...domainFrom(texts),
    edgeLog: isOn(texts, 'edgeLog'),
    alarmEmail: texts.alarmEmail,
    monthlyBudgetUsd: budgetFrom(texts),
    canary: isOn(texts, 'canary'),
    securityContact: matching(
      texts,
      'securityContact',
      /^(https:\/\/[^\s]+|[^\s@<>":]+@[a-z0-9-]+(\.[a-z0-9-]+)+)$/,
      'an e-mail address or an https URL',
    ),
    publicConcurrency: concurrencyFrom(texts),
    webhookConcurrency: webhookConcurrencyFrom(texts),
    restoredTable: restoredTableFrom(texts),
    ...recoveryFrom(texts),
    edgeOnly: isOn(texts, 'edgeOnly'),
    edgeSecretVersion: texts.edgeSecretVersion!,
    docsUrl: texts.docsUrl,
    // If these settings are undefined, the functions use their own defaults.
    productName: given.productName,
    signUp: given.signUp,
    allowedEmailDomains: given.allowedEmailDomains,
    currencies: given.currencies,
    platformFeeBps: texts.platformFeeBps!,
    unusedClickDays: given.unusedClickDays,
    keyedLeadsPerMinute: given.keyedLeadsPerMinute,
    newRecipientsPerDay: given.newRecipientsPerDay,
    mostNewRecipientsPerDay: given.mostNewRecipientsPerDay,
    proxySecrets: texts.proxySecrets,
    stripeConnectClientId: texts.stripeConnectClientId,
    openId: openIdFrom(texts),
    signInPrefix: texts.signInPrefix,
    mailSender: signInMailsFrom(texts),
    mail: senderFrom(texts, 'mailFrom', 'mailIdentityArn'),
    requireMfa: isOn(texts, 'requireMfa'),
    threatProtection: isOn(texts, 'threatProtection'),
  };
}

function isOn(texts: SettingTexts, name: SettingName): boolean {
  const value = texts[name];
  if (value !== 'true' && value !== 'false') throw new Error(`${name} must be true or false`);
  return value === 'true';
}

function domainFrom(texts: SettingTexts): Pick<Settings, 'domainName' | 'certificateArn' | 'webAclArn'> {
  const host = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
  const certificate = /^arn:[\w-]+:acm:us-east-1:/;
  const webAcl = /^arn:[\w-]+:wafv2:us-east-1:\d+:global\//;
  const domainName = matching(texts, 'domainName', host, 'a host name such as track.example.com');
  // CloudFront accepts certificates and web ACLs of us-east-1 only.
  const certificateArn = matching(texts, 'certificateArn', certificate, 'a certificate of us-east-1');
  const webAclArn = matching(texts, 'webAclArn', webAcl, 'a web ACL of the scope CLOUDFRONT');
  if (Boolean(domainName) !== Boolean(certificateArn)) throw new Error('domainName and certificateArn go together');
  return { domainName, certificateArn, webAclArn };
}

function budgetFrom(texts: SettingTexts): number | undefined {
  const text = matching(texts, 'monthlyBudgetUsd', /^[1-9]\d{0,6}$/, 'a positive integer');
  if (text !== undefined && !texts.alarmEmail) throw new Error('monthlyBudgetUsd goes with alarmEmail');
  return text === undefined ? undefined : Number(text);
}

function concurrencyFrom(texts: SettingTexts): number | undefined {
  const text = matching(texts, 'publicConcurrency', /^[1-9]\d{0,5}$/, 'a positive integer');
  return text === undefined ? undefined : Number(text);
}

function webhookConcurrencyFrom(texts: SettingTexts): number {
  const text = texts.webhookConcurrency!;
  const isNumber = /^[1-9]\d{0,3}$/.test(text);
  // Lambda accepts a reserved concurrency in this range.
  if (!isNumber || Number(text) < 2 || Number(text) > 1_000) {
    throw new Error('webhookConcurrency must be an integer from 2 to 1000');
  }
  return Number(text);
}

function restoredTableFrom(texts: SettingTexts): RestoredTable | undefined {
  const { tableName, tableStreamArn } = texts;
  if (!tableName && !tableStreamArn) return undefined;
  if (!tableName || !tableStreamArn?.includes(`:table/${tableName}/stream/`)) {
    throw new Error('tableName and tableStreamArn go together: the stream must be that of the table');
  }
  return { tableName, tableStreamArn };
}

function recoveryFrom(texts: SettingTexts): Pick<Settings, 'replicaRegion' | 'backupVaultArn' | 'vaultKeyArn'> {
  const vault = /^arn:[\w-]+:backup:[\w-]+:\d{12}:backup-vault:[\w-]+$/;
  const key = /^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/mrk-[0-9a-f]+$/;
  return {
    replicaRegion: matching(texts, 'replicaRegion', /^[a-z]{2}(-[a-z]+)+-\d$/, 'a region such as eu-west-1'),
    backupVaultArn: matching(texts, 'backupVaultArn', vault, 'the ARN of a vault of AWS Backup'),
    vaultKeyArn: matching(texts, 'vaultKeyArn', key, 'the ARN of a multi-region key'),
  };
}

function signInMailsFrom(texts: SettingTexts): MailSender | undefined {
  const sender = senderFrom(texts, 'sesFromAddress', 'sesIdentityArn');
  if (sender && texts.oidcIssuer)
    throw new Error('sesFromAddress is for the user pool; your own issuer sends its mails itself');
  return sender;
}

function senderFrom(texts: SettingTexts, addressName: SettingName, identityName: SettingName): MailSender | undefined {
  const address = /^[^\s@<>"]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/;
  const identity = /^arn:[\w-]+:ses:[\w-]+:\d{12}:identity\/\S+$/;
  const fromAddress = matching(texts, addressName, address, 'an address such as no-reply@example.com');
  const identityArn = matching(texts, identityName, identity, 'the ARN of an identity of Amazon SES');
  if (fromAddress) return { fromAddress, identityArn };
  if (identityArn) throw new Error(`${identityName} goes with ${addressName}`);
  return undefined;
}

function openIdFrom(texts: SettingTexts): Settings['openId'] {
  const { oidcIssuer: issuer, oidcAudience: audience } = texts;
  // These URLs must use https: an attacker who can change keys or tokens in transit can sign in as anyone.
  const [jwksUrl, authorizationUrl, tokenUrl, logoutUrl] = (['Jwks', 'Authorization', 'Token', 'Logout'] as const).map(
    (name) => matching(texts, `oidc${name}Url`, /^https:\/\/\S+$/, 'an https URL'),
  );
  if (!issuer && !audience && !jwksUrl && !authorizationUrl && !tokenUrl && !logoutUrl) return undefined;
  if (!issuer || !audience || !jwksUrl || !authorizationUrl || !tokenUrl) {
    throw new Error('oidcIssuer, oidcAudience, oidcJwksUrl, oidcAuthorizationUrl and oidcTokenUrl go together');
  }
  return { issuer, audience, jwksUrl, authorizationUrl, tokenUrl, logoutUrl };
}

function matching(texts: SettingTexts, name: SettingName, pattern: RegExp, rule: string): string | undefined {
  const text = texts[name];
  if (text !== undefined && !pattern.test(text)) throw new Error(`${name} must be ${rule}`);
  return text;
}
