/** @module-tag deep */
import { describe, expect, it } from 'vitest';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { failingNth } from '#test/support/table/each-call.ts';
import { namedFailure } from '#test/support/servers/errors.ts';
import { failing, refused } from '#test/support/table/faults.ts';
import { runChain, sendTestEvent } from '#test/support/programs/integration.ts';
import { expectNothingHalfWritten } from '#test/support/table/invariants.ts';
import { ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW, type TestReply } from '#test/support/callers/request.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Tests of a chain in which each table call fails in turn.

const world = openedWorld();

const attributed = { click: 'attributed', lead: 'attributed', sale: 'attributed' };

describe('a request for a verification run (a test click, lead and sale) gets 500', () => {
  const spelled = [
    ['"type":"chain"', { type: 'chain' }, 'Failed to run synthetic chain'],
    ['an escaped "chain"', String.raw`{"type":"ch\u0061in"}`, 'Failed to run synthetic chain'],
    ['"chain" elsewhere', { event_type: 'click', note: 'chain' }, 'Failed to process test event'],
    ['an invalid body', '{"type":"chain"', 'Failed to process test event'],
  ] as const;

  it.each(spelled)('when the request has %s and the lookup of its program key fails', async (_, body, text) => {
    const { key } = await world.brand();
    const reply = await failing('read', refused('InternalServerError'), () => sendTestEvent(key, body));
    expect(reply.status).toBe(500);
    expect(reply.body).toEqual(namedFailure(text, reply));
  });

  it.each(['first', 'later'])(
    'when any table call of a program’s %s run fails, except the calls that update counts or the key’s last use',
    async (run) => {
      const brand = await world.brand();
      if (run === 'later') await runChain(brand.key);
      const replies: TestReply[] = [];
      for (let n = 1; ; n++) {
        // Every run is in a new hour, so that the limit of runs does not apply.
        const at = new Date(NOW.getTime() + n * 3_600_000);
        const own = run === 'first' ? await world.brand() : brand;
        const reply = await failingNth(n, () => runChain(own.key, { at }));
        if (!reply) break;
        replies.push(reply);
        expect(await runChain(own.key, { at })).toMatchObject({ status: 200, body: { data: { verdict: attributed } } });
        await expectNothingHalfWritten(world);
      }
      const failures = replies.filter(({ status }) => status === 500);
      expect(failures.length).toBeGreaterThanOrEqual(8);
      expect(replies).toHaveLength(failures.length + 2);
      for (const reply of failures) expect(reply.body).toEqual(namedFailure('Failed to run synthetic chain', reply));
    },
  );

  it('with the dashboard’s error message if a person started the run in the dashboard', async () => {
    const brand = await world.brand();
    const { token } = await ownerOfBrand(world, brand);
    const path = `/programs/${brand.program.id}/verification`;
    const reply = await failingNth(6, () => dashboard(token).post(path));
    expect(reply?.status).toBe(500);
    expect(reply?.body).toEqual(namedFailure('Request failed', reply!));
  });
});
