import { describe, expect, it } from 'vitest';
import { recordedSettings, refuseWeakened } from '#infra/aws/deployment/weakened-settings.ts';
import { type SettingName, settingNames } from '#infra/aws/setting-rules.ts';
import type { SettingTexts } from '#infra/aws/setting-texts.ts';

/** A deployed value, and new ones. No value: the setting is not set any more. */
interface Changes {
  readonly was: string;
  readonly refused: readonly (string | undefined)[];
  readonly allowed: readonly (string | undefined)[];
}

const isKept = (was: string, other: string): Changes => ({ was, refused: [other, undefined], allowed: [was] });
const mayBeOther = (was: string, other: string): Changes => ({ was, refused: [undefined], allowed: [was, other] });
const isFree = (was: string, other: string): Changes => ({ was, refused: [], allowed: [was, other, undefined] });
const staysOn: Changes = { was: 'true', refused: ['false'], allowed: ['true'] };

const changesOf: Readonly<Record<SettingName, Changes>> = {
  firstDeployment: { was: 'false', refused: ['true'], allowed: ['false'] },
  domainName: isKept('track.acme.test', 'go.acme.test'),
  certificateArn: isFree('arn:1', 'arn:2'),
  webAclArn: mayBeOther('arn:1', 'arn:2'),
  edgeLog: staysOn,
  alarmEmail: mayBeOther('ops@acme.test', 'night@acme.test'),
  monthlyBudgetUsd: mayBeOther('250', '500'),
  canary: staysOn,
  securityContact: mayBeOther('security@acme.test', 'https://acme.test/security'),
  publicConcurrency: { was: '50', refused: ['51', undefined], allowed: ['50', '9'] },
  webhookConcurrency: { was: '50', refused: ['9'], allowed: ['50', '100'] },
  tableName: isKept('restored', 'other'),
  tableStreamArn: isFree('arn:1', 'arn:2'),
  replicaRegion: isKept('eu-west-1', 'eu-north-1'),
  backupVaultArn: mayBeOther('arn:1', 'arn:2'),
  vaultKeyArn: isKept('arn:1', 'arn:2'),
  edgeOnly: staysOn,
  edgeSecretVersion: isFree('2', '3'),
  docsUrl: mayBeOther('https://docs.acme.test', 'https://help.acme.test'),
  productName: isFree('Acme Partners', 'Acme'),
  signUp: { was: 'invited', refused: ['open'], allowed: ['invited'] },
  allowedEmailDomains: {
    was: 'acme.com,brand.com',
    refused: ['acme.com,brand.com,other.com', 'other.com', undefined],
    allowed: ['acme.com,brand.com', 'Brand.com, acme.com', 'acme.com'],
  },
  currencies: { was: 'USD,EUR', refused: ['USD', 'EUR,VND'], allowed: ['USD,EUR', 'EUR,USD', 'usd,eur,vnd'] },
  platformFeeBps: { was: '200', refused: ['350', '100'], allowed: ['200'] },
  unusedClickDays: { was: '365', refused: ['90'], allowed: ['365', '400'] },
  keyedLeadsPerMinute: { was: '300', refused: ['60', undefined], allowed: ['300', '600'] },
  newRecipientsPerDay: { was: '9', refused: ['50'], allowed: ['9', '0'] },
  mostNewRecipientsPerDay: { was: '100', refused: ['500'], allowed: ['100', '50'] },
  proxySecrets: {
    was: 'secret-of-one-proxy,secret-of-another',
    refused: ['secret-of-one-proxy', undefined],
    allowed: ['another-of-one-proxy,another-of-another', 'secret-of-one-proxy,secret-of-another,secret-of-a-third'],
  },
  stripeConnectClientId: isKept('ca_1', 'ca_2'),
  oidcIssuer: isKept('https://login.acme.test', 'https://other.test'),
  oidcAudience: isKept('referrals', 'other'),
  oidcJwksUrl: isKept('https://login.acme.test/keys', 'https://other.test/keys'),
  oidcAuthorizationUrl: isKept('https://login.acme.test/authorize', 'https://other.test/authorize'),
  oidcTokenUrl: isKept('https://login.acme.test/token', 'https://other.test/token'),
  oidcLogoutUrl: mayBeOther('https://login.acme.test/logout', 'https://login.acme.test/end'),
  signInPrefix: isKept('acme', 'other'),
  sesFromAddress: isKept('no-reply@acme.test', 'mail@acme.test'),
  sesIdentityArn: isKept('arn:1', 'arn:2'),
  mailFrom: isKept('referrals@acme.test', 'mail@acme.test'),
  mailIdentityArn: isKept('arn:1', 'arn:2'),
  requireMfa: staysOn,
  threatProtection: staysOn,
};

/** The deployment of one setting after another. */
function deploy(name: SettingName, was: string, now: string | undefined, accept?: string): void {
  const deployed = { settings: recordedSettings({ [name]: was }), outputs: {} };
  const texts: SettingTexts = now === undefined ? {} : { [name]: now };
  refuseWeakened({ stage: 'prod', deployed, texts, accept });
}

describe.each(Object.entries(changesOf) as [SettingName, Changes][])(
  'a deployment that changes the setting %s',
  (name, changes) => {
    const { was, refused, allowed } = changes;

    it('is refused if it removes or weakens the deployed value, unless the option accept names the setting', () => {
      for (const now of refused) {
        expect(() => deploy(name, was, now)).toThrow(`\n  ${name}: `);
        expect(() => deploy(name, was, now)).toThrow(`add -c accept=${name}`);
        expect(() => deploy(name, was, now, name)).not.toThrow();
      }
    });

    it('is allowed if it does not weaken the deployed value', () => {
      for (const now of allowed) expect(() => deploy(name, was, now)).not.toThrow();
    });

    it('is allowed if the setting had no deployed value', () => {
      const texts: SettingTexts = { [name]: was };
      expect(() => refuseWeakened({ stage: 'prod', deployed: { settings: {}, outputs: {} }, texts })).not.toThrow();
    });
  },
);

const deployed = {
  settings: { requireMfa: 'true', alarmEmail: 'ops@acme.test', platformFeeBps: '200', ofAnotherVersion: 'true' },
  outputs: {},
};
const texts: SettingTexts = { requireMfa: 'false', platformFeeBps: '350' };

it('the refusal of weakened settings lists each setting with its deployed and its new value', () => {
  expect(() => refuseWeakened({ stage: 'prod', deployed, texts })).toThrow(
    new Error(
      [
        'This deployment of prod would drop or weaken settings that are deployed:',
        '  alarmEmail: ops@acme.test would become not set',
        '  platformFeeBps: 200 would become 350',
        '  requireMfa: true would become false',
        'Put them into infra/stages/prod.json. If the change is meant, add -c accept=alarmEmail,platformFeeBps,requireMfa',
      ].join('\n'),
    ),
  );
});

it('the refusal of weakened settings ends with a complete option accept to copy, which also names the settings accepted before', () => {
  expect(() => refuseWeakened({ stage: 'prod', deployed, texts, accept: 'requireMfa,platformFeeBps' })).toThrow(
    'add -c accept=requireMfa,platformFeeBps,alarmEmail',
  );
});

it('the option accept is refused if it names an unknown setting', () => {
  expect(() => refuseWeakened({ stage: 'prod', deployed, texts, accept: 'requireMFA' })).toThrow(
    'Unknown setting "requireMFA" in accept. There are firstDeployment, ',
  );
});

it('the record of deployed settings contains no secrets and no empty settings', () => {
  expect(recordedSettings({ proxySecrets: changesOf.proxySecrets.was, alarmEmail: '', edgeLog: 'true' })).toEqual({
    proxySecrets: '2',
    edgeLog: 'true',
  });
  expect(settingNames).toEqual(Object.keys(changesOf));
});
