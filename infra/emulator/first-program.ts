import type { Edge } from '#infra/emulator/edge.ts';
import type { openUserPool } from '#infra/emulator/sign-in.ts';

const dashboard = '/api/dashboard/v1';

export interface FirstProgram {
  readonly id: number;
  readonly workspaceId: number;
  readonly key: string;
  readonly email: string;
  /** The owner's login token. */
  readonly token: string;
}

/**
 * Creates an account and a program with a partner, a link and a key, through the same requests as the dashboard.
 * @param name the name of the link; the program's domain is `<name>.test`
 */
export async function makeFirstProgram(
  edge: Edge,
  pool: ReturnType<typeof openUserPool>,
  name: string,
): Promise<FirstProgram> {
  const email = `owner@${name}.test`;
  const asked = async (method: string, path: string, body: object, key?: string) => {
    const reply = await edge(method, dashboard + path, { body, key });
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const { token } = await asked('POST', '/session', { id_token: await pool.idToken({ email, name: 'Owner' }) });
  const { id: workspaceId } = await asked('POST', '/workspace', { name }, token);
  const wanted = { name, domain: `${name}.test`, commission_type: 'percent', commission_rate: 20 };
  const { id } = await asked('POST', '/programs', wanted, token);
  const person = { name: 'Partner', email: `partner@${name}.test` };
  const partner = await asked('POST', `/programs/${id}/partners`, person, token);
  await asked('POST', `/programs/${id}/links`, { partner_id: partner.id, short_link: name }, token);
  const { api_key: key } = await asked('POST', `/programs/${id}/api-key`, {}, token);
  return { id, workspaceId, key, email, token };
}
