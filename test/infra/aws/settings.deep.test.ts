import { describe, expect, it } from 'vitest';
import { only, serviceFunctions, templateWith } from '#test/infra/aws/synthesized.ts';

function environmentWith(context?: Record<string, string>): Record<string, unknown> {
  const click = serviceFunctions(templateWith(context)).find(
    ({ Description }) => Description === 'functions/track/click.ts',
  );
  return click.Environment.Variables;
}

const distributionWith = (context?: Record<string, string>) =>
  only(templateWith(context), 'AWS::CloudFront::Distribution').properties.DistributionConfig;

const domain = {
  domainName: 'track.acme.test',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
};
const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/acme/1';
const openId = {
  oidcIssuer: 'https://login.acme.test',
  oidcAudience: 'referrals',
  oidcJwksUrl: 'https://login.acme.test/keys',
  oidcAuthorizationUrl: 'https://login.acme.test/authorize',
  oidcTokenUrl: 'https://login.acme.test/token',
};
/** All these settings are in one synthesis, and each test checks its own. */
const set = {
  ...domain,
  webAclArn,
  currencies: 'KWD,jpy',
  productName: 'Acme & Friends',
  keyedLeadsPerMinute: '300',
  newRecipientsPerDay: '5',
  mostNewRecipientsPerDay: '0',
  signUp: 'invited',
  allowedEmailDomains: 'acme.com,brand.com',
  proxySecrets: 'secret-of-a-proxy',
  alarmEmail: 'ops@acme.test',
};

describe('a stack without any settings', () => {
  it('has the URL of its CloudFront distribution as its base URL', () => {
    const { BASE_URL, DASHBOARD_URL, DOCS_URL, PLATFORM_FEE_BPS } = environmentWith();
    const host = { 'Fn::GetAtt': [expect.stringMatching(/^WebsiteDistribution/), 'DomainName'] };
    expect(BASE_URL).toEqual({ 'Fn::Join': ['', ['https://', host]] });
    expect(DASHBOARD_URL).toEqual(BASE_URL);
    expect(DOCS_URL).toEqual({ 'Fn::Join': ['', ['https://', host, '/docs/errors']] });
    expect(PLATFORM_FEE_BPS).toBe('350');
  });

  it('has no domain, no certificate and no web ACL', () => {
    expect(distributionWith()).not.toHaveProperty('Aliases');
    expect(distributionWith()).not.toHaveProperty('ViewerCertificate');
    expect(distributionWith()).not.toHaveProperty('WebACLId');
  });
});

describe('the setting of currencies', () => {
  it('is passed to the functions as CURRENCIES', () => {
    expect(environmentWith(set)).toMatchObject({ CURRENCIES: 'KWD,jpy' });
    expect(environmentWith()).not.toHaveProperty('CURRENCIES');
  });

  it.each([
    ['USD,XYZ', 'must be ISO 4217 codes with at most three decimals, separated by commas, not "XYZ"'],
    ['CLF', 'must be ISO 4217 codes with at most three decimals, separated by commas, not "CLF"'],
    ['EUR,EUR', 'must name each currency once, not "EUR" twice'],
    ['', 'must name at least one currency, such as USD,EUR'],
  ])('makes the synthesis fail if it is %j', (currencies, problem) => {
    expect(() => templateWith({ currencies })).toThrow(`Configuration: CURRENCIES: ${problem}`);
  });
});

describe('the setting of a domain', () => {
  it('determines the URLs of the service, the dashboard and the documents', () => {
    expect(environmentWith(set)).toMatchObject({
      BASE_URL: 'https://track.acme.test',
      DASHBOARD_URL: 'https://track.acme.test',
      DOCS_URL: 'https://track.acme.test/docs/errors',
    });
  });

  it('is used by CloudFront, with the certificate in the settings and at least TLS 1.2', () => {
    expect(distributionWith(set)).toMatchObject({
      Aliases: ['track.acme.test'],
      ViewerCertificate: {
        AcmCertificateArn: domain.certificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      },
    });
  });

  it('adds the domain and its DNS target to the outputs', () => {
    expect(templateWith(set).toJSON().Outputs).toMatchObject({
      BaseUrl: { Value: 'https://track.acme.test' },
      DistributionHost: { Value: { 'Fn::GetAtt': [expect.stringMatching(/^WebsiteDistribution/), 'DomainName'] } },
    });
  });
});

it('the name of the product reaches the functions and the pages', () => {
  expect(environmentWith()).not.toHaveProperty('PRODUCT_NAME');
  expect(environmentWith(set)).toMatchObject({ PRODUCT_NAME: 'Acme & Friends' });
});

it('the functions for clicks cache links and programs for a second', () => {
  expect(environmentWith()).toMatchObject({ REMEMBERED_READS_MS: '1000' });
});

it('the functions get the setting for how many days unused clicks are kept', () => {
  expect(environmentWith()).not.toHaveProperty('UNUSED_CLICK_DAYS');
  expect(environmentWith({ unusedClickDays: '60' })).toMatchObject({ UNUSED_CLICK_DAYS: '60' });
});

it('a setting limits leads with a program key per key instead of per IP address', () => {
  expect(environmentWith()).not.toHaveProperty('KEYED_LEADS_PER_MINUTE');
  expect(environmentWith(set)).toMatchObject({ KEYED_LEADS_PER_MINUTE: '300' });
});

it('the functions get the settings of the invitation limits', () => {
  expect(environmentWith()).not.toHaveProperty('NEW_RECIPIENTS_PER_DAY');
  expect(environmentWith(set)).toMatchObject({
    NEW_RECIPIENTS_PER_DAY: '5',
    MOST_NEW_RECIPIENTS_PER_DAY: '0',
  });
});

it('the functions get the settings of sign-up, and an invalid value makes the synthesis fail', () => {
  expect(environmentWith()).not.toHaveProperty('SIGN_UP');
  expect(environmentWith()).not.toHaveProperty('ALLOWED_EMAIL_DOMAINS');
  expect(environmentWith(set)).toMatchObject({
    SIGN_UP: 'invited',
    ALLOWED_EMAIL_DOMAINS: 'acme.com,brand.com',
  });
  expect(() => templateWith({ signUp: 'closed' })).toThrow('SIGN_UP: must be open or invited, not "closed"');
  expect(() => templateWith({ allowedEmailDomains: '@acme.com' })).toThrow('such as acme.com, not "@acme.com"');
});

it('the functions get proxy secrets as hashes only', () => {
  expect(environmentWith()).not.toHaveProperty('PROXY_SECRETS');
  const { PROXY_SECRETS } = environmentWith(set);
  expect(PROXY_SECRETS).toMatch(/^sha256:[0-9a-f]{64}$/);
});

it('a web ACL in the settings protects CloudFront', () => {
  expect(distributionWith(set)).toMatchObject({ WebACLId: webAclArn });
});

describe('the API’s own URL, which bypasses CloudFront,', () => {
  it.each<[Record<string, string>, string]>([
    [{}, 'true'],
    [set, 'true'],
    [{ edgeOnly: 'false' }, 'false'],
  ])('is refused by the functions if EDGE_ONLY is true; the settings %j set it to %s', (context, edgeOnly) => {
    for (const { Description, Environment } of serviceFunctions(templateWith(context))) {
      // This function is not called over HTTP.
      if (Description === 'functions/deploy/edge-secret.ts') continue;
      expect(Environment.Variables.EDGE_ONLY).toBe(edgeOnly);
    }
  });

  it('does not receive Stripe’s events', () => {
    const { StripeWebhookUrl, BaseUrl } = templateWith().toJSON().Outputs;
    expect(JSON.stringify(StripeWebhookUrl)).toContain(JSON.stringify(BaseUrl.Value['Fn::Join'][1][1]));
  });
});

it('the e-mail address in the setting alarmEmail is subscribed to the alarm topic', () => {
  const { properties, id } = only(templateWith(set), 'AWS::SNS::Subscription');
  expect(properties).toEqual({
    Endpoint: 'ops@acme.test',
    Protocol: 'email',
    TopicArn: { Ref: expect.stringMatching(/^AlarmsAlarmsTopic/) },
  });
  expect(id).toMatch(/^AlarmsAlarmsTopic/);
});

describe('invalid settings fail the synthesis', () => {
  it.each([
    [{ securityContact: 'whoever' }, 'securityContact must be an e-mail address or an https URL'],
    [{ stage: 'staging' }, 'Unknown stage "staging". There are dev and prod.'],
    [{ ...domain, domainName: 'https://track.acme.test' }, 'domainName must be a host name such as track.example.com'],
    [{ ...domain, certificateArn: domain.certificateArn.replace('us-east-1', 'eu-west-1') }, 'certificateArn must be'],
    [{ domainName: domain.domainName }, 'domainName and certificateArn go together'],
    [{ webAclArn: webAclArn.replace('global', 'regional') }, 'webAclArn must be a web ACL of the scope CLOUDFRONT'],
    [{ publicConcurrency: '0' }, 'publicConcurrency must be a positive integer'],
    [{ docsUrl: 'docs.acme.test' }, 'DOCS_URL'],
    [{ tableName: 'restored' }, 'tableName and tableStreamArn go together'],
    [{ tableName: 'restored', tableStreamArn: 'arn:aws:dynamodb:x:1:table/other/stream/1' }, 'that of the table'],
    [{ platformFeeBps: '10001' }, 'PLATFORM_FEE_BPS'],
    [{ productName: 'A'.repeat(41) }, 'PRODUCT_NAME'],
    [{ keyedLeadsPerMinute: '0' }, 'KEYED_LEADS_PER_MINUTE'],
    [{ unusedClickDays: '29' }, 'UNUSED_CLICK_DAYS'],
    [{ newRecipientsPerDay: 'many' }, 'NEW_RECIPIENTS_PER_DAY'],
    [{ proxySecrets: 'short' }, 'PROXY_SECRETS'],
    [{ ...openId, oidcTokenUrl: '' }, 'oidcTokenUrl must be an https URL'],
    [{ oidcIssuer: openId.oidcIssuer }, 'oidcIssuer, oidcAudience, oidcJwksUrl, oidcAuthorizationUrl and oidcTokenUrl'],
    [{ ...openId, oidcJwksUrl: 'http://login.acme.test/keys' }, 'oidcJwksUrl must be an https URL'],
    [{ signInPrefix: 'Acme.Referrals' }, 'domainPrefix'],
    [{ sesFromAddress: 'Acme <no-reply@acme.test>' }, 'sesFromAddress must be an address'],
    [{ sesFromAddress: 'no-reply@acme.test', sesIdentityArn: 'acme.test' }, 'sesIdentityArn must be the ARN'],
    [{ sesIdentityArn: 'arn:aws:ses:eu-west-1:123456789012:identity/acme.test' }, 'goes with sesFromAddress'],
    [{ ...openId, sesFromAddress: 'no-reply@acme.test' }, 'sesFromAddress is for the user pool'],
    [{ edgeOnly: 'no' }, 'edgeOnly must be true or false'],
    [{ firstDeployment: 'yes' }, 'firstDeployment must be true or false'],
    [{ requireMfa: 'yes' }, 'requireMfa must be true or false'],
    [{ alarmMail: 'ops@acme.test' }, 'Unknown setting "alarmMail". There are stage, '],
    [{ edgeLog: 'yes' }, 'edgeLog must be true or false'],
    [{ threatProtection: 'on' }, 'threatProtection must be true or false'],
    [{ canary: 'yes' }, 'canary must be true or false'],
    [{ alarmEmail: 'ops@acme.test', monthlyBudgetUsd: '12.50' }, 'monthlyBudgetUsd must be a positive integer'],
    [{ monthlyBudgetUsd: '250' }, 'monthlyBudgetUsd goes with alarmEmail'],
    [{ replicaRegion: 'Ireland' }, 'replicaRegion must be a region such as eu-west-1'],
    [{ backupVaultArn: 'copies' }, 'backupVaultArn must be the ARN of a vault of AWS Backup'],
    [
      { vaultKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/00000000-0000-0000-0000-000000000000' },
      'vaultKeyArn must be the ARN of a multi-region key',
    ],
  ])('such as %j', (context, problem) => {
    expect(() => templateWith(context)).toThrow(problem);
  });
});
