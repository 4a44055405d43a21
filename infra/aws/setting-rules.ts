import type { StageName } from '#infra/aws/stages.ts';
import { settingDefaults } from '#lib/service/ground/config/setting-defaults.ts';

/**
 * Whether a deployment weakens a setting.
 * @param was the deployed value
 * @param now the new value; undefined if the setting is not set any more
 */
type Weakens = (was: string, now: string | undefined) => boolean;

interface Rule {
  readonly weakenedBy: Weakens;
  /** The value of a setting that is not set. Default: it has none. */
  readonly otherwise?: string | Readonly<Record<StageName, string>>;
  /** What is recorded of the value. Default: all of it. */
  readonly recorded?: (text: string) => string;
}

const dropping: Weakens = (_, now) => now === undefined;
/** For settings that others rely on: addresses they call, issuers they sign in at, fees they pay. */
const replacing: Weakens = (was, now) => now !== was;
const turningOff: Weakens = (was, now) => was === 'true' && now !== 'true';
const turningOn: Weakens = (was, now) => was !== 'true' && now === 'true';
const lowering: Weakens = (was, now) => now === undefined || Number(now) < Number(was);
const raising: Weakens = (was, now) => now === undefined || Number(now) > Number(was);
const removingEntries: Weakens = (was, now) => !entries(was).every((entry) => entries(now ?? '').includes(entry));
const addingEntries: Weakens = (was, now) =>
  now === undefined || !entries(now).every((one) => entries(was).includes(one));
const nothing: Weakens = () => false;

const entries = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');

/**
 * Every setting by its name in stage files and in `-c name=value`, with what weakens it. A deployment that weakens a
 * setting is refused until it is accepted.
 */
const settingRules = {
  // This setting removes the deletion protection of table, users and stack.
  firstDeployment: { weakenedBy: turningOn, otherwise: 'false' },
  domainName: { weakenedBy: replacing },
  // The certificate changes with the domain, and a renewed certificate has another ARN.
  certificateArn: { weakenedBy: nothing },
  webAclArn: { weakenedBy: dropping },
  edgeLog: { weakenedBy: turningOff, otherwise: 'false' },
  alarmEmail: { weakenedBy: dropping },
  monthlyBudgetUsd: { weakenedBy: dropping },
  canary: { weakenedBy: turningOff, otherwise: 'false' },
  securityContact: { weakenedBy: dropping },
  publicConcurrency: { weakenedBy: raising },
  // A new account has a concurrency of ten; this leaves eight to requests. Each run sends up to ten deliveries at once.
  webhookConcurrency: { weakenedBy: lowering, otherwise: '2' },
  // Without this setting, the service uses the table that the restored one replaced.
  tableName: { weakenedBy: replacing },
  // The stream belongs to the table, which gets another one when its stream is turned on again.
  tableStreamArn: { weakenedBy: nothing },
  replicaRegion: { weakenedBy: replacing },
  backupVaultArn: { weakenedBy: dropping },
  // Data that were encrypted with this key cannot be decrypted with another one.
  vaultKeyArn: { weakenedBy: replacing },
  edgeOnly: { weakenedBy: turningOff, otherwise: 'true' },
  // Each text makes a new secret, and former ones remain valid.
  edgeSecretVersion: { weakenedBy: nothing, otherwise: '1' },
  docsUrl: { weakenedBy: dropping },
  productName: { weakenedBy: nothing, otherwise: settingDefaults.productName },
  signUp: { weakenedBy: (was, now) => was === 'invited' && now !== 'invited', otherwise: settingDefaults.signUp },
  allowedEmailDomains: { weakenedBy: addingEntries },
  currencies: { weakenedBy: removingEntries, otherwise: settingDefaults.currencies },
  platformFeeBps: { weakenedBy: replacing, otherwise: settingDefaults.platformFeeBps },
  // Clicks would expire sooner, so that later sales with their ids could not be attributed.
  unusedClickDays: { weakenedBy: lowering, otherwise: settingDefaults.unusedClickDays },
  keyedLeadsPerMinute: { weakenedBy: lowering },
  newRecipientsPerDay: { weakenedBy: raising, otherwise: settingDefaults.newRecipientsPerDay },
  mostNewRecipientsPerDay: { weakenedBy: raising, otherwise: settingDefaults.mostNewRecipientsPerDay },
  // The secrets themselves must not be readable, so their number is recorded.
  proxySecrets: { weakenedBy: lowering, recorded: (list) => String(entries(list).length) },
  stripeConnectClientId: { weakenedBy: replacing },
  oidcIssuer: { weakenedBy: replacing },
  oidcAudience: { weakenedBy: replacing },
  oidcJwksUrl: { weakenedBy: replacing },
  oidcAuthorizationUrl: { weakenedBy: replacing },
  oidcTokenUrl: { weakenedBy: replacing },
  oidcLogoutUrl: { weakenedBy: dropping },
  signInPrefix: { weakenedBy: replacing },
  sesFromAddress: { weakenedBy: replacing },
  sesIdentityArn: { weakenedBy: replacing },
  mailFrom: { weakenedBy: replacing },
  mailIdentityArn: { weakenedBy: replacing },
  requireMfa: { weakenedBy: turningOff, otherwise: { dev: 'false', prod: 'true' } },
  threatProtection: { weakenedBy: turningOff, otherwise: 'false' },
} as const satisfies Readonly<Record<string, Rule>>;

export type SettingName = keyof typeof settingRules;

export const settingNames = Object.keys(settingRules) as readonly SettingName[];

/** Rules by name, without the literal values of the table. */
const rules: Readonly<Record<SettingName, Rule>> = settingRules;

/** The value of a setting that is not set. */
export function defaultOf(name: SettingName, stage: StageName): string | undefined {
  const { otherwise } = rules[name];
  return typeof otherwise === 'object' ? otherwise[stage] : otherwise;
}

/** The value of a setting as it is recorded, without secrets. */
export const recordedText = (name: SettingName, text: string): string => rules[name].recorded?.(text) ?? text;

export const isWeakened = (name: SettingName, was: string, now: string | undefined): boolean =>
  rules[name].weakenedBy(was, now);
