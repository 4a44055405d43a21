import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#lib/service/ground/table/keys.ts';
import { portal } from '#test/support/callers/portal.ts';
import { NOW } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { signedInAs } from '#test/support/programs/people.ts';
import { sentCalls } from '#test/support/servers/sent-calls.ts';

const world = openedWorld();
const PROGRAMS = 60;
let token: string;

/** A partner of many programs, each with 700 cents that are paid and a payout day. */
beforeAll(async () => {
  const email = 'many@partners.test';
  const person = await signedInAs(world, email);
  ({ token } = person);
  const brand = await world.brand();
  const { table } = world.deps();
  for (let n = 1; n <= PROGRAMS; n++) {
    const programId = 1_000 + n;
    const { id: accountId } = person.account;
    const partner = { id: n, programId, name: 'Mo', email, status: 'active', accountId, links: [] };
    await table.put(keys.program(programId), { ...brand.program, id: programId, payoutDays: [(n % 28) + 1] });
    await table.put(keys.partner(programId, n), {
      ...partner,
      joinedAt: NOW.toISOString(),
      createdAt: NOW.toISOString(),
    });
    await table.put(keys.accountPartner(accountId, programId), { partnerId: n });
    await table.put(keys.counter({ of: 'partner', programId, partnerId: n }), { paidOutUSD: 700, version: 1 });
  }
});

describe('GET /overview of a partner of many programs', () => {
  it('shows 50 of the programs, says that there are more, and adds up the amounts of all', async () => {
    const { data } = (await portal(token).get('/overview')).body;
    expect(data.programs).toHaveLength(50);
    expect(data).toMatchObject({
      totals: { USD: { paid_cents: 700 * PROGRAMS } },
      next_payout_on: '2026-11-20',
      complete: false,
    });
  });

  it('makes two queries per program and reads the found items in batches', async () => {
    const calls = await sentCalls(() => portal(token).get('/overview'));
    const named = calls.map(({ name }) => name);
    expect(named.filter((name) => name === 'QueryCommand').length).toBe(1 + 2 * PROGRAMS);
    expect(named.filter((name) => name === 'BatchGetCommand').length).toBeLessThan(20);
  });
});
