import { describe, expect, it } from 'vitest';
import { handler } from '#functions/track/sale.ts';
import { codedError } from '#test/support/servers/errors.ts';
import { clicked, removePartner, signedUp, unlinkPartner } from '#test/support/payments/lives/journeys.ts';
import { send } from '#test/support/callers/request.ts';
import { warned } from '#test/support/programs/warnings.ts';
import { type Brand } from '#test/support/programs/world.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

// Errors about the customer, in the order of the checks.

const world = openedWorld();

const invalid = (message: string) => codedError(400, 'invalid_request', message);
const unattributed = (message: string) => codedError(400, 'no_attribution', message);
const messages = {
  notFound: 'Customer not found. Provide customer_key or click_id.',
  elsewhere: 'No affiliate attribution found for this customer in this program',
  relation: 'No partner-program relationship found for this customer',
  partner: 'partnerId required to create commission',
};

describe('a sale for which no partner can be paid is answered', () => {
  const old = new Date('2026-09-01T00:00:00.000Z');
  let mine: Brand;
  let other: Brand;
  const sale = (id: string, body: object) =>
    send(handler, { key: mine.key, body: { transaction_id: id, amount_cents: 4900, ...body } });

  it('with invalid_request if the request has no customer_key and no click_id', async () => {
    mine = await world.brand();
    for (const body of [
      {},
      { customer_key: null, click_id: null },
      { customer_key: ' ', click_id: '' },
      { click_id: {} },
    ]) {
      expect((await sale('state', body)).body).toEqual(invalid(messages.notFound));
    }
  });

  it('with no_attribution if customer_key and click_id are unknown', async () => {
    mine = await world.brand();
    const unmatched = ['nobody', 'x'.repeat(256), 'a\u0000b', '\ud800', 42];
    for (const value of unmatched) {
      expect((await sale('state', { customer_key: value })).body).toEqual(unattributed(messages.notFound));
      expect((await sale('state', { click_id: value })).body).toEqual({
        ...unattributed(messages.notFound),
        warnings: [warned('unknown_click')],
      });
    }
    expect(await world.items('SALE#state')).toEqual([]);
  });

  it('with the message that its customer belongs to another program, whether found by customer_key or click_id', async () => {
    [mine, other] = [await world.brand(), await world.brand()];
    const clickId = await signedUp(other, 'elsewhere');
    // The other program's own errors about this customer must not appear in the reply.
    await removePartner(world, other);
    for (const body of [
      { customer_key: 'elsewhere' },
      { click_id: clickId },
      { customer_key: 'x', click_id: clickId },
    ]) {
      expect((await sale('state', body)).body).toEqual({
        ...unattributed(messages.elsewhere),
        ...('click_id' in body && { warnings: [warned('other_program_click')] }),
      });
    }
    expect(await world.items('SALE#state')).toEqual([]);
  });

  it('with the message that the partner was removed, even if the payment is also outside the attribution window', async () => {
    mine = await world.brand();
    const clickId = await clicked(mine, { at: old });
    await removePartner(world, mine);
    expect((await sale('state', { click_id: clickId })).body).toEqual(unattributed(messages.relation));
    expect(await world.items('SALE#state')).toEqual([]);
  });

  it('with the message that the payment is outside the attribution window, even if the customer also has no partner', async () => {
    mine = await world.brand();
    const clickId = await clicked(mine, { at: old });
    await unlinkPartner(world, mine, clickId);
    expect(await sale('state', { click_id: clickId })).toMatchObject({ status: 200, body: { attributed: false } });
    expect(await world.items('SALE#state')).toEqual([]);
  });

  it('with the message that the customer has no partner, even if the commission could not be computed either', async () => {
    mine = await world.brand({ commissionRate: 0 });
    const clickId = await clicked(mine);
    await unlinkPartner(world, mine, clickId);
    expect((await sale('unlinked', { click_id: clickId })).body).toEqual(unattributed(messages.partner));
  });
});
