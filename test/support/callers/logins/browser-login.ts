/**
 * Completes a CLI login with the requests that the dashboard's page makes after the sign-in.
 * @param said the command's output, which contains the page's address
 */
export async function finishLogin(baseUrl: string, said: string, email: string): Promise<void> {
  const state = /state=([\w-]{43})/.exec(said)?.[1];
  const post = async (path: string, body: object) => {
    const reply = await fetch(`${baseUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  };
  const { id_token } = (await post('/local/oidc/token', { email })) as { id_token: string };
  await post('/api/v1/cli/auth/callback', { state, id_token });
}
