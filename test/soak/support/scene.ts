import { type Brand, newBrand, saleOf, signedUp } from '#test/live/brand.ts';
import { succeed } from '#test/live/caller.ts';
import { operate } from '#test/soak/support/operate.ts';
import type { Service } from '#test/live/service.ts';

/** Everything an attacker may have: a brand, its names and its secrets. */
export interface Scene {
  readonly brand: Brand;
  readonly otherProgramId: number;
  readonly clickId: string;
  /** A sale to the brand's customer `known`. */
  readonly transactionId: string;
  readonly agentKey: string;
  /** A login token that may be revoked. */
  readonly spareToken: string;
  /** The processor's signing secret, for the brand and for the platform. */
  readonly signingSecret: string;
  /** The service's time in milliseconds. */
  readonly now: number;
}

/** Creates an honest brand, which must succeed. */
export async function newScene(service: Service, name: string, signingSecret: string): Promise<Scene> {
  const { call } = service;
  const brand = await newBrand(call, name);
  const clickId = await signedUp(call, brand, 'known');
  const transactionId = `sale-of-${name}`;
  await succeed(call, saleOf(brand, { transaction_id: transactionId, amount_cents: 4900, customer_key: 'known' }));

  const dashboard = '/api/dashboard/v1';
  const terms = { name: 'Other', domain: 'other.test', commission_type: 'fixed', commission_rate: 5 };
  const other = await succeed(call, { path: `${dashboard}/programs`, key: brand.token, body: terms });
  const processor = `${dashboard}/programs/${brand.programId}/processor`;
  await succeed(call, { method: 'PUT', path: processor, key: brand.token, body: { signing_secret: signingSecret } });
  const { id_token } = await succeed(call, { path: '/local/oidc/token', body: { email: `owner@${name}.test` } });
  const session = await succeed(call, { path: `${dashboard}/session`, body: { id_token } });
  const issue = ['agent-key', 'issue', '--workspace', String(brand.workspaceId), '--name', 'soak', '--scopes'];
  const issued = await operate(service, [...issue, 'program:list,program:read,program:update']);
  const { now } = await succeed(call, { method: 'GET', path: '/local/clock' });
  return {
    brand,
    otherProgramId: other.data.id,
    clickId,
    transactionId,
    agentKey: issued.key,
    spareToken: session.data.token,
    signingSecret,
    now: Date.parse(now),
  };
}
