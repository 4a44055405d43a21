import { env } from 'node:process';

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda provides the role's credentials in environment
 * variables, so the package's other providers (SSO, STS, instance metadata, ini files) would be loaded but never used.
 */
export const defaultProvider = () => async (): Promise<Credentials> => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set');
  return { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN };
};
