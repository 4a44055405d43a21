import { createHash, randomBytes } from 'node:crypto';
import type { Deployment } from '#infra/emulator/deployment.ts';
import type { Aws } from '#infra/emulator/aws-command.ts';

/** The person whom a test signs in. The user pool itself chooses the subject claim of the person's token. */
interface Person {
  readonly email: string;
  readonly name?: string;
}

const PASSWORD = 'Correct-horse-1-battery';

/**
 * Signs people up and in at the deployed user pool as the dashboard does: through the pool's sign-in page, with PKCE.
 */
export function openUserPool({ port, outputs }: Pick<Deployment, 'port' | 'outputs'>, aws: Aws) {
  const pool = outputs.OidcIssuer!.split('/').at(-1)!;
  const known = new Set<string>();

  async function signUp({ email, name }: Person): Promise<void> {
    const of = ['--user-pool-id', pool, '--username', email];
    const attributes = [`Name=email,Value=${email}`, 'Name=email_verified,Value=true'];
    if (name) attributes.push(`Name=name,Value=${name}`);
    const create = ['admin-create-user', ...of, '--message-action', 'SUPPRESS', '--user-attributes', ...attributes];
    await aws('cognito-idp', ...create);
    await aws('cognito-idp', 'admin-set-user-password', ...of, '--password', PASSWORD, '--permanent');
    known.add(email);
  }

  return {
    async idToken(person: Person): Promise<string> {
      if (!known.has(person.email)) await signUp(person);
      return tokenOf(person.email, {
        pages: `http://127.0.0.1:${port}`,
        clientId: outputs.OidcAudience!,
        redirectUri: `${outputs.BaseUrl}/signed-in`,
      });
    },
  };
}

interface Pages {
  readonly pages: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

async function tokenOf(email: string, { pages, clientId, redirectUri }: Pages): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const query = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state: 'of-the-test',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const page = await fetch(`${pages}/oauth2/authorize?${new URLSearchParams(query).toString()}`);
  const hidden = (await page.text()).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  const form = { ...Object.fromEntries([...hidden].map(([, name, value]) => [name, value])), ...query };
  const signedIn = await fetch(`${pages}/login`, {
    method: 'POST',
    body: new URLSearchParams({ ...form, username: email, password: PASSWORD }),
    redirect: 'manual',
  });
  const code = new URL(signedIn.headers.get('location') ?? 'none:').searchParams.get('code');
  if (!code) throw new Error(`No code for ${email}: ${signedIn.status} ${await signedIn.text()}`);
  const traded = await fetch(`${pages}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  const { id_token } = (await traded.json()) as { id_token?: string };
  if (!id_token) throw new Error(`No token for ${email}: ${traded.status}`);
  return id_token;
}
