import { describe, expect, it } from 'vitest';
import { configFrom, type Variables } from '#lib/service/ground/config/config.ts';
import { hashedProxySecrets } from '#lib/service/ground/config/secret-lists.ts';

const required = {
  TABLE_NAME: 'service',
  BASE_URL: 'https://track.test',
  DASHBOARD_URL: 'https://app.track.test:8443/app',
  DOCS_URL: 'http://127.0.0.1:8787/docs/errors',
};

const CODES = 'must be ISO 4217 codes with at most three decimals, separated by commas, not ';
const SIXTY_ONE =
  'AED,AFN,ALL,AMD,AOA,ARS,AUD,AWG,AZN,BAM,BBD,BDT,BMD,BND,BOB,BRL,BSD,BWP,BYN,BZD,CAD,CDF,CHF,CNY,COP,CRC,CVE,CZK,DKK,' +
  'DOP,DZD,EGP,ETB,EUR,FJD,FKP,GBP,GEL,GIP,GMD,GTQ,GYD,HKD,HNL,HTG,HUF,IDR,ILS,INR,JMD,KES,KGS,KHR,KYD,KZT,LAK,LBP,LKR,' +
  'LRD,LSL,MAD';

it('the configuration needs the required variables and has defaults for the others', () => {
  expect(configFrom({ ...required, UNRELATED: 'x' })).toEqual({
    tableName: 'service',
    dynamodbEndpoint: undefined,
    region: 'us-east-1',
    rememberedReadsMs: 0,
    baseUrl: 'https://track.test',
    dashboardUrl: 'https://app.track.test:8443/app',
    docsUrl: 'http://127.0.0.1:8787/docs/errors',
    productName: 'Referrals',
    isEdgeOnly: false,
    openId: { issuer: undefined, audience: undefined, jwksUrl: undefined },
    signUp: { isByInvitation: false, emailDomains: undefined },
    currencies: ['USD', 'EUR', 'VND'],
    platformFeeBps: 350,
    unusedClickDays: 90,
    keyedLeadsPerMinute: undefined,
    newRecipientsPerDay: { atFirst: 50, later: 500 },
    proxySecretHashes: [],
    stripe: {
      webhookSecrets: [],
      secretKey: undefined,
      secretsId: undefined,
      connectClientId: undefined,
      connectBase: 'https://connect.stripe.com',
      apiBase: 'https://api.stripe.com',
    },
    mail: {},
    webhooks: {
      queueUrl: undefined,
      queueEndpoint: undefined,
      allowsLoopback: false,
      own: ['https://track.test', 'https://app.track.test:8443/app'],
    },
    exports: { bucket: undefined, folder: '.local/exports' },
    vault: { keyId: undefined, keyFile: undefined },
  });
});

it('the configuration contains the values of all optional variables', () => {
  const said = {
    DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000',
    AWS_REGION: 'eu-west-1',
    PLATFORM_FEE_BPS: '0',
    EDGE_ONLY: 'true',
  };
  expect(configFrom({ ...required, ...said })).toMatchObject({
    dynamodbEndpoint: 'http://127.0.0.1:8000',
    region: 'eu-west-1',
    platformFeeBps: 0,
    isEdgeOnly: true,
  });
});

it('the configuration contains the values of the variables for webhooks', () => {
  const said = {
    WEBHOOK_QUEUE_URL: 'https://sqs.us-east-1.amazonaws.com/1/wakes',
    WEBHOOK_QUEUE_ENDPOINT: 'http://127.0.0.1:1',
    WEBHOOK_ALLOW_LOOPBACK: '1',
  };
  expect(configFrom({ ...required, ...said })).toMatchObject({
    webhooks: {
      queueUrl: 'https://sqs.us-east-1.amazonaws.com/1/wakes',
      queueEndpoint: 'http://127.0.0.1:1',
      allowsLoopback: true,
    },
  });
  expect(() => configFrom({ ...required, WEBHOOK_ALLOW_LOOPBACK: 'true' })).toThrow(
    'Configuration: WEBHOOK_ALLOW_LOOPBACK: must be 0 or 1',
  );
});

it('the configuration contains the values of the variables for Stripe and the vault', () => {
  const said = {
    STRIPE_WEBHOOK_SECRET: ' whsec_a,whsec_b , ,',
    STRIPE_SECRET_KEY: 'sk_1',
    STRIPE_SECRETS_ID: 'arn:secret',
    STRIPE_CONNECT_CLIENT_ID: 'ca_1',
    STRIPE_CONNECT_BASE: 'http://127.0.0.1:1',
    STRIPE_API_BASE: 'http://127.0.0.1:2',
    VAULT_KEY_ID: 'arn:key',
    VAULT_KEY_FILE: '/vault-key.json',
  };
  expect(configFrom({ ...required, ...said })).toMatchObject({
    stripe: {
      webhookSecrets: ['whsec_a', 'whsec_b'],
      secretKey: 'sk_1',
      secretsId: 'arn:secret',
      connectClientId: 'ca_1',
      connectBase: 'http://127.0.0.1:1',
      apiBase: 'http://127.0.0.1:2',
    },
    vault: { keyId: 'arn:key', keyFile: '/vault-key.json' },
  });
});

describe('the variable CURRENCIES', () => {
  it.each([
    ['JPY', ['JPY']],
    [' usd, Kwd ,isk', ['USD', 'KWD', 'ISK']],
  ])('can be %s', (text, currencies) => {
    expect(configFrom({ ...required, CURRENCIES: text }).currencies).toEqual(currencies);
  });

  it.each([
    ['', 'must name at least one currency, such as USD,EUR'],
    [' ', 'must name at least one currency, such as USD,EUR'],
    ['USD,XYZ', `${CODES}"XYZ"`],
    ['USD,CLF', `${CODES}"CLF"`],
    ['USD,', `${CODES}""`],
    ['USD;EUR', `${CODES}"USD;EUR"`],
    ['USD,EUR,usd', 'must name each currency once, not "USD" twice'],
    [SIXTY_ONE, 'must name at most 60 currencies, not 61'],
  ])('cannot be %j', (text, problem) => {
    expect(() => configFrom({ ...required, CURRENCIES: text })).toThrow(`Configuration: CURRENCIES: ${problem}`);
  });

  it('can have sixty entries', () => {
    expect(configFrom({ ...required, CURRENCIES: SIXTY_ONE.slice(4) }).currencies).toHaveLength(60);
  });
});

describe('the variable PLATFORM_FEE_BPS', () => {
  it.each(['0', '350', '10000'])('can be %s', (text) => {
    expect(configFrom({ ...required, PLATFORM_FEE_BPS: text }).platformFeeBps).toBe(Number(text));
  });

  it.each(['', ' ', '-1', '10001', '3.5', '350 ', '1e3', '0x10', 'abc', 'NaN'])('cannot be %j', (text) => {
    expect(() => configFrom({ ...required, PLATFORM_FEE_BPS: text })).toThrow(
      'Configuration: PLATFORM_FEE_BPS: must be an integer from 0 to 10000',
    );
  });
});

describe('the variable SIGN_UP', () => {
  it.each(['open', 'invited'])('can be %s', (text) => {
    expect(configFrom({ ...required, SIGN_UP: text }).signUp.isByInvitation).toBe(text === 'invited');
  });

  it.each(['', 'Invited', 'closed'])('cannot be %j', (text) => {
    expect(() => configFrom({ ...required, SIGN_UP: text })).toThrow(
      `Configuration: SIGN_UP: must be open or invited, not "${text}"`,
    );
  });
});

describe('the variable ALLOWED_EMAIL_DOMAINS', () => {
  it('is converted to lower case', () => {
    const { emailDomains } = configFrom({ ...required, ALLOWED_EMAIL_DOMAINS: ' Acme.com,sub.bücher.example ' }).signUp;
    expect(emailDomains).toEqual(['acme.com', 'sub.bücher.example']);
  });

  it.each([
    ['acme.com,', ''],
    ['', ''],
    ['acme.com,@brand.com', '@brand.com'],
    ['*.acme.com', '*.acme.com'],
    ['acme.com brand.com', 'acme.com brand.com'],
    ['acme', 'acme'],
  ])('cannot be %j', (text, wrong) => {
    expect(() => configFrom({ ...required, ALLOWED_EMAIL_DOMAINS: text })).toThrow(
      `Configuration: ALLOWED_EMAIL_DOMAINS: must be domains separated by commas, such as acme.com, not "${wrong}"`,
    );
  });
});

describe('the variable PRODUCT_NAME', () => {
  it.each(['A', 'Acme Partners', 'Ü'.repeat(40), 'A & <B>'])('can be %s', (text) => {
    expect(configFrom({ ...required, PRODUCT_NAME: text }).productName).toBe(text);
  });

  it.each(['', ' ', 'Acme ', 'A'.repeat(41), 'Ac\nme', 'Ac\u202eme'])('cannot be %j', (text) => {
    expect(() => configFrom({ ...required, PRODUCT_NAME: text })).toThrow(
      'Configuration: PRODUCT_NAME: must be a text of 1 to 40 characters',
    );
  });
});

describe.each(['NEW_RECIPIENTS_PER_DAY', 'MOST_NEW_RECIPIENTS_PER_DAY'])('the variable %s', (name) => {
  it.each(['0', '7', '99999'])('can be %s', (text) => {
    expect(Object.values(configFrom({ ...required, [name]: text }).newRecipientsPerDay)).toContain(Number(text));
  });

  it.each(['', '-1', '1.5', '100000', 'many'])('cannot be %j', (text) => {
    expect(() => configFrom({ ...required, [name]: text })).toThrow(`${name}: must be an integer from 0 to 99999`);
  });
});

describe('the variable UNUSED_CLICK_DAYS', () => {
  it.each(['30', '90', '3650'])('can be %s', (text) => {
    expect(configFrom({ ...required, UNUSED_CLICK_DAYS: text }).unusedClickDays).toBe(Number(text));
  });

  it.each(['', '29', '3651', '-1', '90.5', 'many'])('cannot be %j', (text) => {
    expect(() => configFrom({ ...required, UNUSED_CLICK_DAYS: text })).toThrow(
      'Configuration: UNUSED_CLICK_DAYS: must be an integer from 30 to 3650',
    );
  });
});

describe('the variable KEYED_LEADS_PER_MINUTE', () => {
  it.each(['1', '300', '999999'])('can be %s', (text) => {
    expect(configFrom({ ...required, KEYED_LEADS_PER_MINUTE: text }).keyedLeadsPerMinute).toBe(Number(text));
  });

  it.each(['', '0', '-1', '1.5', '1000000', 'many'])('cannot be %j', (text) => {
    expect(() => configFrom({ ...required, KEYED_LEADS_PER_MINUTE: text })).toThrow(
      'Configuration: KEYED_LEADS_PER_MINUTE: must be an integer from 1 to 999999',
    );
  });
});

describe('the variable REMEMBERED_READS_MS', () => {
  it.each(['0', '1000'])('can be %s', (text) => {
    expect(configFrom({ ...required, REMEMBERED_READS_MS: text }).rememberedReadsMs).toBe(Number(text));
  });

  it.each(['', '-1', '1.5', '10000'])('cannot be %j', (text) => {
    expect(() => configFrom({ ...required, REMEMBERED_READS_MS: text })).toThrow(
      'Configuration: REMEMBERED_READS_MS: must be an integer from 0 to 9999',
    );
  });
});

const hashes = (text: string) => configFrom({ ...required, PROXY_SECRETS: text }).proxySecretHashes;

describe('the variable PROXY_SECRETS', () => {
  it('is stored as hashes, and may also contain hashes', () => {
    const given = hashes(' secret-of-a-proxy , another-secret-of-one');
    expect(given).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(hashes(hashedProxySecrets('secret-of-a-proxy,another-secret-of-one'))).toEqual(given);
    expect(hashes('')).toEqual([]);
  });

  it('is refused if a secret is shorter than 16 characters, which could be guessed', () => {
    expect(() => configFrom({ ...required, PROXY_SECRETS: 'secret-of-a-proxy,short' })).toThrow(
      'Configuration: PROXY_SECRETS: must have 16 characters or more each',
    );
  });
});

describe.each(['BASE_URL', 'DASHBOARD_URL', 'DOCS_URL', 'STRIPE_CONNECT_BASE', 'STRIPE_API_BASE'])(
  'the variable %s',
  (name) => {
    it.each([
      '',
      'track.test',
      'ftp://track.test',
      'https://track.test/',
      'https://',
      'https://a b',
      'https://track.test ',
    ])('cannot be %j', (text) => {
      expect(() => configFrom({ ...required, [name]: text })).toThrow(
        `Configuration: ${name}: must be an http or https URL without a trailing slash`,
      );
    });
  },
);

it('the error about the configuration lists every variable that is missing or invalid', () => {
  const wrong = { ...required, TABLE_NAME: undefined, BASE_URL: undefined, PLATFORM_FEE_BPS: 'x' };
  expect(() => configFrom(wrong)).toThrow(/^Configuration: TABLE_NAME: .+; BASE_URL: .+; PLATFORM_FEE_BPS: .+$/);
});

const mailOf = (more: Variables) => configFrom({ ...required, ...more }).mail;

describe('the variable MAIL_FROM', () => {
  it('is optional and must be an e-mail address', () => {
    expect(mailOf({ MAIL_FROM: '' })).toEqual({});
    expect(
      mailOf({ MAIL_FROM: 'a@acme.test', MAIL_ENDPOINT: 'http://127.0.0.1:1', MAIL_CONFIGURATION_SET: 'set' }),
    ).toEqual({
      from: 'a@acme.test',
      endpoint: 'http://127.0.0.1:1',
      configurationSet: 'set',
    });
  });

  it.each(['acme', 'A@acme.test', 'a@acme.test\r\nBcc: b@acme.test', 'Acme <a@acme.test>'])(
    'cannot be %j',
    (sender) => {
      expect(() => mailOf({ MAIL_FROM: sender })).toThrow('MAIL_FROM: must be an e-mail address in lower case, not');
    },
  );
});
