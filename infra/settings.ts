import type { Node } from 'constructs';
import { isStageName, type StageName, stages } from '#infra/stages.ts';

/** Who signs people in, as the functions that check it need to know. */
export interface OpenIdIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

/** What a deployment may choose: `npx cdk deploy -c stage=prod -c alarmEmail=ops@example.com`. */
export interface Settings {
  readonly stage: StageName;
  /** A host name of the company's, with a certificate of us-east-1 for it. Default: the distribution's own name. */
  readonly domainName?: string;
  readonly certificateArn?: string;
  /** A web ACL of the scope CLOUDFRONT, for the distribution. Default: none. */
  readonly webAclArn?: string;
  /** Who is told of alarms. Default: nobody. */
  readonly alarmEmail?: string;
  /** How many clicks may be handled at once. Default: the stage's. */
  readonly publicConcurrency?: number;
  /** Another text rolls the edge's secret over. */
  readonly edgeSecretVersion: string;
  /** Default: the installation's own `/docs/errors`. */
  readonly docsUrl?: string;
  /** Basis points, default 350. */
  readonly platformFeeBps: string;
  /** Of the platform's account on Stripe, by which brands let it in. Default: brands use direct endpoints only. */
  readonly stripeConnectClientId?: string;
  /** Context `oidcIssuer`, `oidcAudience` and `oidcJwksUrl`. Default: a user pool of our own. */
  readonly openId?: OpenIdIssuer;
  /** First part of the hosted sign-in's host name. Default: one that nobody else has. */
  readonly signInPrefix?: string;
  /** Nobody signs in without a code of their authenticator app. Default: false. */
  readonly requireMfa: boolean;
  /** Cognito watches for stolen passwords and unusual sign-ins, at a price per person. Default: false. */
  readonly threatProtection: boolean;
}

type Setting = (name: string) => string | undefined;

/** @throws Error for a setting that can be told wrong here; URLs and fee are checked with the functions' environment */
export function settingsFrom(node: Node): Settings {
  const setting: Setting = (name) => node.tryGetContext(name)?.toString();
  const stage = setting('stage') ?? 'dev';
  if (!isStageName(stage)) throw new Error(`Unknown stage "${stage}"`);
  return {
    stage,
    ...domainFrom(setting),
    webAclArn: setting('webAclArn'),
    alarmEmail: setting('alarmEmail'),
    publicConcurrency: concurrencyFrom(setting) ?? stages[stage].publicConcurrency,
    edgeSecretVersion: setting('edgeSecretVersion') ?? '1',
    docsUrl: setting('docsUrl'),
    platformFeeBps: setting('platformFeeBps') ?? '350',
    stripeConnectClientId: setting('stripeConnectClientId'),
    openId: openIdFrom(setting),
    signInPrefix: setting('signInPrefix'),
    requireMfa: isOn(setting, 'requireMfa'),
    threatProtection: isOn(setting, 'threatProtection'),
  };
}

function isOn(setting: Setting, name: string): boolean {
  const value = setting(name) ?? 'false';
  if (value !== 'true' && value !== 'false') throw new Error(`${name} must be true or false`);
  return value === 'true';
}

function domainFrom(setting: Setting): Pick<Settings, 'domainName' | 'certificateArn'> {
  const [domainName, certificateArn] = [setting('domainName'), setting('certificateArn')];
  if (Boolean(domainName) !== Boolean(certificateArn)) throw new Error('domainName and certificateArn go together');
  return { domainName, certificateArn };
}

function concurrencyFrom(setting: Setting): number | undefined {
  const text = setting('publicConcurrency');
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error('publicConcurrency must be a positive integer');
  return Number(text);
}

function openIdFrom(setting: Setting): OpenIdIssuer | undefined {
  const [issuer, audience, jwksUrl] = ['oidcIssuer', 'oidcAudience', 'oidcJwksUrl'].map(setting);
  if (!issuer && !audience && !jwksUrl) return undefined;
  if (!issuer || !audience || !jwksUrl) throw new Error('oidcIssuer, oidcAudience and oidcJwksUrl go together');
  // Who can change the keys on their way can sign in as anybody.
  if (!jwksUrl.startsWith('https://')) throw new Error('oidcJwksUrl must be an https URL');
  return { issuer, audience, jwksUrl };
}
