import type { Node } from 'constructs';
import { isStageName, type StageName } from '#infra/stages.ts';

/** Who signs people in, as the functions that check it need to know. */
export interface OpenIdIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

/** What a deployment may choose: `npx cdk deploy -c stage=prod -c baseUrl=https://track.example.com`. */
export interface Settings {
  readonly stage: StageName;
  /** Default: the API's own address. */
  readonly baseUrl?: string;
  /** Default: `baseUrl`. */
  readonly dashboardUrl?: string;
  /** Default: `<baseUrl>/docs/errors`. */
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
    baseUrl: setting('baseUrl'),
    dashboardUrl: setting('dashboardUrl'),
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

function openIdFrom(setting: Setting): OpenIdIssuer | undefined {
  const [issuer, audience, jwksUrl] = ['oidcIssuer', 'oidcAudience', 'oidcJwksUrl'].map(setting);
  if (!issuer && !audience && !jwksUrl) return undefined;
  if (!issuer || !audience || !jwksUrl) throw new Error('oidcIssuer, oidcAudience and oidcJwksUrl go together');
  // Who can change the keys on their way can sign in as anybody.
  if (!jwksUrl.startsWith('https://')) throw new Error('oidcJwksUrl must be an https URL');
  return { issuer, audience, jwksUrl };
}
