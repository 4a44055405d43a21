import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Config } from '#lib/service/ground/config/config.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { timeouts } from '#lib/service/ground/effects/timeouts.ts';

/** Reads the text of a secret from AWS Secrets Manager. */
export const readSecret = ({ once, deadline }: Pick<Deps, 'once' | 'deadline'>, secretId: string): Promise<string> =>
  once(secretStore)(secretId, deadline);

function secretStore({ region }: Config) {
  const client = new SecretsManagerClient({ region, maxAttempts: 3, requestHandler: timeouts });
  return async (SecretId: string, abortSignal?: AbortSignal): Promise<string> => {
    const { SecretString = '{}' } = await client.send(new GetSecretValueCommand({ SecretId }), { abortSignal });
    return SecretString;
  };
}
