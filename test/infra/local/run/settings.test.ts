import { describe, expect, it } from 'vitest';
import { localSettings, withLocalDefaults } from '#infra/local/run/settings.ts';

describe('the settings of a local run, which come from environment variables,', () => {
  it('are port 8787 and the full demo if no variable is set', () => {
    expect(localSettings({})).toEqual({ port: 8787, demo: 'full' });
  });

  it('treat an empty variable as absent', () => {
    expect(localSettings({ PORT: '', DATA_DIR: '', DYNAMODB_ENDPOINT: '', DEMO: '' })).toEqual(localSettings({}));
  });

  it('are the values of the variables that are set', () => {
    const environment = { PORT: '0', DATA_DIR: 'data', DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000', DEMO: '0' };
    expect(localSettings(environment)).toEqual({
      port: 0,
      dataDir: 'data',
      dynamodbEndpoint: 'http://127.0.0.1:8000',
      demo: 'none',
    });
  });

  it.each([
    ['1', 'full'],
    ['small', 'small'],
  ])('contain, for DEMO=%s, the %s demo', (DEMO, demo) => {
    expect(localSettings({ DEMO })).toMatchObject({ demo });
  });

  it.each(['2', 'Small', 'toString'])('are refused with DEMO=%s', (DEMO) => {
    expect(() => localSettings({ DEMO })).toThrow(`DEMO must be 1, small or 0, not ${DEMO}`);
  });

  it.each(['65536', '-1', '80.5', 'http'])('are refused with PORT=%s', (PORT) => {
    expect(() => localSettings({ PORT })).toThrow(`PORT must be a number from 0 to 65535, not ${PORT}`);
  });
});

const complete = (environment: Record<string, string>) =>
  withLocalDefaults(environment, 'http://127.0.0.1:8787', 'http://127.0.0.1:4000');

describe('the environment variables for the functions of a local run', () => {
  it('contain the URL of the service and the address of the database', () => {
    expect(complete({})).toEqual({
      TABLE_NAME: 'service-local',
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:4000',
      AWS_REGION: 'us-east-1',
      BASE_URL: 'http://127.0.0.1:8787',
      DASHBOARD_URL: 'http://127.0.0.1:8787',
      DOCS_URL: 'http://127.0.0.1:8787/docs/errors',
      OIDC_ISSUER: 'http://127.0.0.1:8787/local/oidc',
      OIDC_AUDIENCE: 'service-dashboard',
      OIDC_JWKS_URL: 'http://127.0.0.1:8787/local/oidc/jwks.json',
      MAIL_FROM: 'referrals@local.test',
      SECURITY_CONTACT: 'security@local.test',
      MAIL_ENDPOINT: 'http://127.0.0.1:8787/local/mail',
      WEBHOOK_ALLOW_LOOPBACK: '1',
      WEBHOOK_QUEUE_URL: 'http://127.0.0.1:8787/local/queue',
      WEBHOOK_QUEUE_ENDPOINT: 'http://127.0.0.1:8787/local/queue',
    });
  });

  it('do not replace variables that are already set', () => {
    const set = { TABLE_NAME: 'other', BASE_URL: 'https://track.test', AWS_REGION: 'eu-west-1', PLATFORM_FEE_BPS: '0' };
    expect(complete(set)).toMatchObject({ ...set, DOCS_URL: 'https://track.test/docs/errors' });
  });
});
