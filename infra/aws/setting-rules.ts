import type { StageName } from '#infra/aws/stages.ts';
import { settingDefaults } from '#lib/service/ground/config/setting-defaults.ts';

/**
 * Whether a deployment weakens a setting.
 * @param was the deployed value
 * @param now the new value; undefined if the setting is no longer set
 */
type Weakens = (was: string, now: string | undefined) => boolean;

interface Rule {
  readonly weakenedBy: Weakens;
  /** The setting's default value, if it has one. */
  readonly otherwise?: string | Readonly<Record<StageName, string>>;
  /** Converts the value to the text that is recorded. Default: the value itself. */
  readonly recorded?: (text: string) => string;
}

const dropping: Weakens = (_, now) => now === undefined;
/**
 * For settings of which any change may do harm: clients call the configured addresses, people sign in with the
 * configured issuer, and brands pay the configured fees.
 */
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
 * Every setting, by its name in stage files and in `-c name=value`, with the kind of change that weakens it. A
 * deployment that weakens a setting is refused until the operator accepts it.
 */
const settingRules = {
  // This setting turns off the deletion protection of the table, the users and the stack.
  firstDeployment: { weakenedBy: turningOn, otherwise: 'false' },
  domainName: { weakenedBy: replacing },
  // A renewed certificate has another ARN. So has that of another domain, but the rule of `domainName` covers that.
  certificateArn: { weakenedBy: nothing },
  webAclArn: { weakenedBy: dropping },
  edgeLog: { weakenedBy: turningOff, otherwise: 'false' },
  alarmEmail: { weakenedBy: dropping },
  monthlyBudgetUsd: { weakenedBy: dropping },
  canary: { weakenedBy: turningOff, otherwise: 'false' },
  securityContact: { weakenedBy: dropping },
  publicConcurrency: { weakenedBy: raising },
  // A new AWS account may run ten functions at once, so the default leaves eight to requests. Each run sends up to ten
  // deliveries in parallel.
  webhookConcurrency: { weakenedBy: lowering, otherwise: '2' },
  // Without this setting, the service would return to the old table, which the restored one has replaced.
  tableName: { weakenedBy: replacing },
  // The table gets another stream when its stream is turned on again.
  tableStreamArn: { weakenedBy: nothing },
  replicaRegion: { weakenedBy: replacing },
  backupVaultArn: { weakenedBy: dropping },
  // Data that were encrypted with this key cannot be decrypted with another one.
  vaultKeyArn: { weakenedBy: replacing },
  edgeOnly: { weakenedBy: turningOff, otherwise: 'true' },
  // Each new text creates a new secret, and the former secrets remain valid.
  edgeSecretVersion: { weakenedBy: nothing, otherwise: '1' },
  docsUrl: { weakenedBy: dropping },
  productName: { weakenedBy: nothing, otherwise: settingDefaults.productName },
  signUp: { weakenedBy: (was, now) => was === 'invited' && now !== 'invited', otherwise: settingDefaults.signUp },
  allowedEmailDomains: { weakenedBy: addingEntries },
  currencies: { weakenedBy: removingEntries, otherwise: settingDefaults.currencies },
  platformFeeBps: { weakenedBy: replacing, otherwise: settingDefaults.platformFeeBps },
  // With fewer days, clicks expire sooner, and sales that name an expired click cannot be attributed.
  unusedClickDays: { weakenedBy: lowering, otherwise: settingDefaults.unusedClickDays },
  keyedLeadsPerMinute: { weakenedBy: lowering },
  newRecipientsPerDay: { weakenedBy: raising, otherwise: settingDefaults.newRecipientsPerDay },
  mostNewRecipientsPerDay: { weakenedBy: raising, otherwise: settingDefaults.mostNewRecipientsPerDay },
  // The record of a deployment must not contain readable secrets, so it contains only their number.
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

/** The same rules under a type that all of them have. */
const rules: Readonly<Record<SettingName, Rule>> = settingRules;

/** The value of a setting that is not set in a stage; undefined if it has no default. */
export function defaultOf(name: SettingName, stage: StageName): string | undefined {
  const { otherwise } = rules[name];
  return typeof otherwise === 'object' ? otherwise[stage] : otherwise;
}

/** The text that is recorded for a setting's value; it contains no secrets. */
export const recordedText = (name: SettingName, text: string): string => rules[name].recorded?.(text) ?? text;

export const isWeakened = (name: SettingName, was: string, now: string | undefined): boolean =>
  rules[name].weakenedBy(was, now);
