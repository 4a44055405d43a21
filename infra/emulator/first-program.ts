import type { Edge } from '#infra/emulator/edge.ts';
import type { openUserPool } from '#infra/emulator/sign-in.ts';

const dashboard = '/api/dashboard/v1';

export interface FirstProgram {
  readonly id: number;
  readonly key: string;
  readonly email: string;
  /** The login token of its owner. */
  readonly token: string;
}

/** Signs a first person up, who makes a program with a link and a key, as in the dashboard. */
export async function makeFirstProgram(edge: Edge, pool: ReturnType<typeof openUserPool>): Promise<FirstProgram> {
  const email = 'owner@brand.test';
  const asked = async (method: string, path: string, body: object, key?: string) => {
    const reply = await edge(method, dashboard + path, { body, key });
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  };
  const { token } = await asked('POST', '/session', { id_token: await pool.idToken({ email, name: 'Owner' }) });
  await asked('POST', '/workspace', { name: 'Brand' }, token);
  const wanted = { name: 'Brand', domain: 'brand.test', commission_type: 'percent', commission_rate: 20 };
  const { id } = await asked('POST', '/programs', wanted, token);
  const partner = await asked(
    'POST',
    `/programs/${id}/partners`,
    { name: 'Partner', email: 'partner@brand.test' },
    token,
  );
  await asked('POST', `/programs/${id}/links`, { partner_id: partner.id, short_link: 'start' }, token);
  const { api_key: key } = await asked('POST', `/programs/${id}/api-key`, {}, token);
  return { id, key, email, token };
}
