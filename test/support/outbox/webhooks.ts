import { expect } from 'vitest';
import { type Fact, factIdOf, type FactType } from '#lib/service/outbox/facts/fact.ts';
import { newFactWrite } from '#lib/service/outbox/facts/facts-items.ts';
import type { OwnedBrand } from '#test/support/programs/commissions.ts';
import { NOW } from '#test/support/callers/request.ts';
import type { World } from '#test/support/programs/world.ts';

export const WEBHOOK_URL = 'https://hooks.brand.com/referrals';

/** The reply for a new endpoint. @param changes fields that differ */
export const shownEndpoint = (changes: object = {}) => ({
  id: expect.any(Number),
  url: WEBHOOK_URL,
  description: '',
  events: ['*'],
  status: 'active',
  disabled_reason: null,
  failing_since: null,
  created_at: NOW.toISOString(),
  ...changes,
});

/** Creates a webhook endpoint of a brand. @returns its secret and path */
export async function endpointOf({ owner, path }: OwnedBrand, fields: object = {}) {
  const { status, body } = await owner.post(`${path}/webhooks`, { url: WEBHOOK_URL, ...fields });
  if (status !== 200) throw new Error(`Expected 200, got ${status}: ${JSON.stringify(body)}`);
  const { secret, ...shown } = body.data;
  return { secret: secret as string, shown, id: shown.id as number, path: `${path}/webhooks/${shown.id}` };
}

let facts = 0;

/** Stores a fact of a brand, as if it had happened at this time. */
export async function factOf(
  world: World,
  { program }: Pick<OwnedBrand, 'program'>,
  type: FactType,
  at: Date = NOW,
): Promise<Fact> {
  facts += 1;
  const timestamp = at.toISOString();
  const fact: Fact = {
    id: factIdOf(type, String(facts), timestamp),
    type,
    programId: program.id,
    isTest: false,
    timestamp,
    data: { program_id: program.id, is_test: false, id: facts },
  };
  await world.deps(at).table.transact([newFactWrite(fact)]);
  return fact;
}
