import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Container, createContainer } from '#lib/service/ground/effects/container.ts';
import { requestDeps } from '#lib/service/ground/effects/deps.ts';
import { platformSecrets } from '#lib/service/ground/effects/platform-secrets.ts';

const required = {
  TABLE_NAME: 'service',
  BASE_URL: 'https://track.test',
  DASHBOARD_URL: 'https://track.test',
  DOCS_URL: 'https://track.test/docs/errors',
};
const NOW = new Date('2026-11-20T15:00:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

const store = mockClient(SecretsManagerClient);
afterAll(() => store.restore());

const containerWith = (more: Record<string, string>) => createContainer({ ...required, ...more });

/** A new container without cached secrets. */
let container: Container;
beforeEach(() => {
  store.reset();
  container = containerWith({ STRIPE_SECRETS_ID: 'arn:secret', STRIPE_SECRET_KEY: 'ignored' });
});

const asks = () => store.commandCalls(GetSecretValueCommand).map(({ args }) => args[0].input);
const holds = (value: object) => store.on(GetSecretValueCommand).resolves({ SecretString: JSON.stringify(value) });

const at = (now: Date, of = container) => platformSecrets(requestDeps(now, 'test', {}, of));

describe('the platform’s Stripe secrets in environment variables', () => {
  it('are used as they are, split at commas', async () => {
    const configured = containerWith({ STRIPE_WEBHOOK_SECRET: 'whsec_a, whsec_b,,', STRIPE_SECRET_KEY: 'sk_1' });
    expect(await at(NOW, configured)).toMatchObject({
      webhookSecrets: ['whsec_a', 'whsec_b'],
      secretKey: 'sk_1',
    });
    expect(asks()).toEqual([]);
  });

  it('are empty if the variables are not set', async () => {
    const { webhookSecrets, secretKey } = await at(NOW, containerWith({}));
    expect([webhookSecrets, secretKey]).toEqual([[], undefined]);
  });
});

describe('the platform’s Stripe secrets in the secret store', () => {
  it('are the values that the operator stored there', async () => {
    holds({ STRIPE_WEBHOOK_SECRET: 'whsec_a,whsec_b', STRIPE_SECRET_KEY: 'sk_1', placeholder: 'x' });
    expect(await at(NOW)).toEqual({ webhookSecrets: ['whsec_a', 'whsec_b'], secretKey: 'sk_1' });
    expect(asks()).toEqual([{ SecretId: 'arn:secret' }]);
  });

  it.each(['whsec_a', '{"STRIPE_WEBHOOK_SECRET":"whsec_a"', '{"STRIPE_SECRET_KEY":["sk_live_a"]}', 'null'])(
    'do not appear in the error about a stored value that is invalid: %s',
    async (SecretString) => {
      store.on(GetSecretValueCommand).resolves({ SecretString });
      const error = await at(NOW).catch((thrown: Error) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toBe(
        'The platform’s secret must be a JSON object with the texts STRIPE_WEBHOOK_SECRET and STRIPE_SECRET_KEY. ' +
          'Mend it in Secrets Manager; it counts at the next request.',
      );
      expect((error as Error).cause).toBeUndefined();
      expect((error as Error).stack).not.toMatch(/whsec|sk_live/);
    },
  );

  it('are empty as long as the operator has stored none', async () => {
    holds({ placeholder: 'x' });
    expect(await at(NOW)).toEqual({ webhookSecrets: [], secretKey: undefined });
    store.on(GetSecretValueCommand).resolves({});
    expect(await at(later(300_000))).toEqual({ webhookSecrets: [], secretKey: undefined });
  });

  it('are cached for five minutes, and are read once for parallel requests', async () => {
    holds({ STRIPE_WEBHOOK_SECRET: 'whsec_old' });
    await Promise.all([at(NOW), at(NOW), at(later(1))]);
    holds({ STRIPE_WEBHOOK_SECRET: 'whsec_new' });
    expect((await at(later(299_999))).webhookSecrets).toEqual(['whsec_old']);
    expect(asks()).toHaveLength(1);
    expect((await at(later(300_000))).webhookSecrets).toEqual(['whsec_new']);
    expect(asks()).toHaveLength(2);
  });

  it.each<[string, { SecretString: string } | Error, string]>([
    ['the store refuses', new Error('no access'), 'no access'],
    ['the value is not JSON', { SecretString: 'x' }, 'JSON'],
    ['the value has another shape', { SecretString: '{"STRIPE_SECRET_KEY":7}' }, 'STRIPE_SECRET_KEY'],
  ])('are read again at the next request if %s', async (_, first, reason) => {
    const answer = store.on(GetSecretValueCommand);
    const then = first instanceof Error ? answer.rejectsOnce(first) : answer.resolvesOnce(first);
    then.resolves({ SecretString: '{"STRIPE_WEBHOOK_SECRET":"whsec_a"}' });
    await expect(at(NOW)).rejects.toThrow(reason);
    expect((await at(NOW)).webhookSecrets).toEqual(['whsec_a']);
  });
});
