import { beforeEach, describe, expect, it } from 'vitest';
import { operated } from '#test/support/callers/operator.ts';
import { expectPayoutsToAgree, paymentsIn } from '#test/support/payments/payouts-agree.ts';
import { earned, HOLD_OVER, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { openWorld, type World } from '#test/support/programs/world.ts';
import { platformError } from '#test/support/servers/errors.ts';
import { cut, isOfPayout, nameOf, transactionsOf, type Written } from '#test/support/table/cut-transactions.ts';
import { withoutFirst } from '#test/support/table/faults.ts';
import { storedItems } from '#test/support/table/invariants.ts';

// Payouts of a restored table about which a person must decide, and some that only look like it.

const DUE = new Date(HOLD_OVER.getTime() + 3_600_000);
const RESTORED = new Date(DUE.getTime() + 60_000);
const LATER = new Date(DUE.getTime() + 3 * 60_000);
const FROZEN = platformError(409, 'Payouts of this workspace are frozen');
const NOTHING = platformError(409, 'No approved commissions to pay out');

let world: World;
let own: OwnedBrand;
const pay = (at: Date) => own.owner.post(`${own.path}/payouts`, {}, { at });
const check = async (): Promise<{ repaired: string[]; unrepaired: string[] }> => {
  const { repaired, unrepaired } = await operated(
    world,
    ['restore', 'check', '--to', RESTORED.toISOString(), '--former-table-lost'],
    RESTORED,
  );
  return { repaired, unrepaired };
};

const frozen = () =>
  `workspace ${own.program.workspaceId}: its payouts are frozen; put the above right, then payouts thaw --workspace ${own.program.workspaceId} --stage <stage>`;

describe('`restore check`, for a payout of two commissions to one partner,', () => {
  let first: Written;
  let second: Written;
  let payoutId: number;
  beforeEach(async () => {
    world = await openWorld();
    own = await ownedBrand(world);
    await earned(own, 2);
    const [step] = await transactionsOf(world, isOfPayout, async () => {
      payoutId = (await pay(DUE)).body.data.id;
    });
    [first, second] = step!.filter(({ key }) => key.sk === 'COMMISSION') as [Written, Written];
  });
  it('freezes all payouts if one of the commissions is lost, until a person has restored it', async () => {
    await cut(world, [{ key: first.key }]);
    const why = `payout ${payoutId}: it paid commission ${String(first.before!.id)}, which is lost, or could not be paid`;
    expect(await check()).toEqual({ repaired: [], unrepaired: [why, frozen()] });
    expect((await pay(LATER)).body).toEqual(FROZEN);
    await cut(world, [first]);
    const repaired = [`commission ${String(first.before!.id)}: paid by payout ${payoutId}`];
    expect(await check()).toEqual({ repaired, unrepaired: [] });
    await expectPayoutsToAgree(world);
  });

  it('freezes all payouts if neither commission has the amount that was paid, until one of them is restored', async () => {
    const paid = (await storedItems(world)).find((item) => nameOf(item) === nameOf(first.key))!;
    await cut(world, [first, { ...second, before: { ...second.before, amountCents: 900 } }]);
    const ids = [first, second].map(({ before }) => Number(before!.id)).toSorted((a, b) => a - b);
    const why = `payout ${payoutId}: it paid 1960 cents for commissions ${ids.join(', ')}, which have 1880 to be paid`;
    expect(await check()).toEqual({ repaired: [], unrepaired: [why, frozen()] });
    expect((await pay(LATER)).body).toEqual(FROZEN);
    await world.replace(paid);
    const repaired = [`commission ${String(second.before!.id)}: paid by payout ${payoutId}`];
    expect(await check()).toEqual({ repaired, unrepaired: [] });
    await expectPayoutsToAgree(world);
  });

  it('records the paid amount again, even if the commission has been reduced since', async () => {
    await cut(world, [{ ...first, before: { ...first.before, deductedCents: 490 } }]);
    const repaired = [`commission ${String(first.before!.id)}: paid by payout ${payoutId}`];
    expect(await check()).toEqual({ repaired, unrepaired: [] });
    expect(await world.deps().table.get(first.key)).toMatchObject({ status: 'paid', paidOutCents: 980 });
    expect(await paymentsIn(world)).toMatchObject({
      [`payout ${payoutId} commission ${String(first.before!.id)}`]: 980,
    });
  });

  it('deletes the item that says a payout is unfinished if nothing else of that payout is left', async () => {
    await world.replace({ pk: `PROGRAM#${own.program.id}`, sk: 'OPEN_PAYOUT', payoutId: 4711 });
    expect(await check()).toEqual({ repaired: ['payout 4711: the mark that it is open'], unrepaired: [] });
    expect((await pay(LATER)).body).toEqual(NOTHING);
  });

  it('changes nothing if the index of commissions does not contain one of them yet', async () => {
    const list = `PROGRAM#${own.program.id}#COMMISSIONS`;
    expect(await withoutFirst(list, check)).toEqual({ repaired: [], unrepaired: [] });
  });
});
