import { afterEach, expect, it, vi } from 'vitest';
import { defaultProvider } from '#infra/build/lambda-credentials.ts';

afterEach(() => vi.unstubAllEnvs());

it('a function gets its AWS credentials from the environment variables that Lambda sets', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  vi.stubEnv('AWS_SESSION_TOKEN', 'session');
  expect(await defaultProvider()()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'session' });
});

it('the error about missing credentials names those that are missing', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', undefined);
  await expect(defaultProvider()()).rejects.toThrow('AWS_ACCESS_KEY_ID');
});
