import { describe, expect, it } from 'vitest';
import { commission, type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { platformError, refusal } from '#test/support/servers/errors.ts';
import { failing, overtakenBy, refused, sentAgain } from '#test/support/table/faults.ts';
import { leftBehind } from '#test/support/table/invariants.ts';
import { momentsAfter } from '#test/support/table/moments.ts';
import { memberOf, ownerOfBrand } from '#test/support/programs/people.ts';
import { NOW } from '#test/support/callers/request.ts';
import { counted, counterItems } from '#test/support/table/stream.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const bonus = { amount_cents: 5_000, currency: 'EUR', reason: 'Bonus for the launch' };

const pathOf = ({ path, partner }: OwnedBrand) => `${path}/partners/${partner.id}/commissions`;
const grant = (own: OwnedBrand, body: object = bonus, at = NOW) => own.owner.post(pathOf(own), body, { at });
const granted = async (own: OwnedBrand, body?: object) => (await grant(own, body)).body.data;

/** The bonus reply with the given differences. */
const manual = (own: OwnedBrand, changes: object = {}) =>
  commission(own, {
    kind: 'manual',
    click_id: null,
    sale_id: null,
    transaction_id: null,
    commission_type: 'manual',
    terms: null,
    commission_rate: null,
    base_amount_cents: null,
    platform_fee: null,
    amount_cents: 5_000,
    payable_cents: 5_000,
    currency: 'EUR',
    status: 'approved',
    hold_until: NOW.toISOString(),
    approved_at: NOW.toISOString(),
    reason: bonus.reason,
    ...changes,
  });

describe('a request to grant a commission by hand, such as a bonus, gets 200', () => {
  it('and stores an approved commission, and a small item through which lists find it', async () => {
    const own = await ownedBrand(world);
    const at = NOW.toISOString();
    let reply: Awaited<ReturnType<typeof grant>> | undefined;
    const items = await leftBehind(world, async () => (reply = await grant(own)));
    expect(reply).toEqual(dataReply(manual(own), 1));
    const { id } = reply!.body.data;
    const list = `PROGRAM#${own.program.id}#`;
    const row = { at, actor: own.actor, action: 'created', from: null, to: 'approved', amountCents: 5_000 };
    expect(items.filter(({ pk }) => !/^(?:WINDOW|SEQUENCE|AUDIT)#/.test(String(pk)))).toEqual([
      {
        pk: `COMMISSION#${id}`,
        sk: 'COMMISSION',
        gsi1pk: `${list}UNSETTLED_COMMISSIONS`,
        gsi1sk: `${at}#${id}#${own.partner.id}#EUR#approved#5000#${at}#2026-11-20`,
        gsi2pk: `PARTNER#${own.program.id}#${own.partner.id}#OPEN_COMMISSIONS`,
        gsi2sk: `${at}#${id}#${own.partner.id}#EUR#approved#5000#${at}#2026-11-20`,
        id,
        kind: 'manual',
        programId: own.program.id,
        partnerId: own.partner.id,
        status: 'approved',
        amountCents: 5_000,
        currency: 'EUR',
        reason: bonus.reason,
        deductedCents: 0,
        refundState: 'none',
        occurredAt: at,
        holdUntil: at,
        approvedAt: at,
        createdAt: at,
        history: [{ ...row, reason: bonus.reason }],
      },
      { pk: `COMMISSION#${id}`, sk: 'NAME', gsi1pk: `${list}COMMISSIONS`, gsi1sk: `${at}#${id}` },
    ]);
  });

  it('and reports count the commission on the day of the grant for the program and the partner, but for no link', async () => {
    const own = await ownedBrand(world);
    await grant(own);
    await counted(world);
    const counts = { commissionEUR: 5_000, 'commissionEUR@2026-11-20': 5_000 };
    const counters = await counterItems(world);
    const { program, partner } = own;
    expect(counters[`PROGRAM#${program.id}`]).toEqual(counts);
    expect(counters[`PARTNER#${program.id}#${partner.id}`]).toEqual(counts);
    expect(counters[`LINK#${own.shortLink}`]).toBeUndefined();
  });

  it('and the commission appears in the list and the export, and the next payout pays it', async () => {
    const own = await ownedBrand(world);
    const { id } = await granted(own);
    expect((await own.owner.get(`${own.path}/commissions?status=approved`)).body.data).toEqual([manual(own)]);
    const line = `${id},,,${own.partner.id},Ana,ana@partners.test,approved,EUR,,5000,0,5000,,`;
    expect((await own.owner.get(`${own.path}/commissions.csv`)).body).toContain(`\r\n${line}`);
    expect((await own.owner.get(`${own.path}/commissions.csv`)).body).toMatch(/,manual,[^\r\n]*\r\n$/);

    const made = (await own.owner.post(`${own.path}/payouts`)).body.data;
    expect(made.items).toMatchObject([{ currency: 'EUR', amount_cents: 5_000, commission_ids: [id] }]);
    expect((await own.owner.get(`${own.path}/commissions`)).body.data).toEqual([
      manual(own, {
        status: 'paid',
        // The time of a payment that follows the approval at the time NOW.
        paid_at: momentsAfter(NOW, 1),
        payout_id: made.id,
        payout_status: 'recorded',
        paid_out_cents: 5_000,
        version: 2,
      }),
    ]);
    await counted(world);
    const partner = (await own.owner.get(`${own.path}/partners/${own.partner.id}`)).body.data;
    expect(partner.amounts.EUR).toEqual({ revenue_cents: 0, commission_cents: 5_000, paid_out_cents: 5_000 });
  });

  it('for a currency in upper or lower case, and removes spaces around the reason', async () => {
    const own = await ownedBrand(world);
    const body = { amount_cents: 1, currency: ' vnd ', reason: `  ${'x'.repeat(500)} ` };
    expect(await granted(own, body)).toMatchObject({ amount_cents: 1, currency: 'VND', reason: 'x'.repeat(500) });
  });

  it('and the commission is approved at once, so it can no longer be rejected', async () => {
    const own = await ownedBrand(world);
    const { id } = await granted(own);
    const path = `${own.path}/commissions`;
    expect((await own.owner.post(`${path}/${id}/approve`)).body.data).toEqual(manual(own));
    const tooLate = 'Commission status cannot be changed to rejected. Current status: approved';
    expect(await own.owner.post(`${path}/${id}/reject`, { reason: 'Fraud' })).toMatchObject(refusal(409, tooLate));
    expect((await own.owner.post(`${path}/approve`, { ids: [id] })).body.data).toEqual([
      { id, status: 'approved', error: null },
    ]);
    expect((await own.owner.post(`${path}/reject`, { ids: [id], reason: 'Fraud' })).body.data).toEqual([
      { id, status: 'approved', error: tooLate },
    ]);
  });
});

const amountInvalid = 'amount_cents must be a positive integer';
const currencyInvalid = (sent: string) => `Invalid currency: ${sent}. Valid: USD, EUR, VND`;

describe('granting a commission by hand is refused', () => {
  it.each([
    [{}, amountInvalid],
    [{ ...bonus, amount_cents: 0 }, amountInvalid],
    [{ ...bonus, amount_cents: -5 }, amountInvalid],
    [{ ...bonus, amount_cents: 1.5 }, amountInvalid],
    [{ ...bonus, amount_cents: '5000' }, amountInvalid],
    [{ ...bonus, amount_cents: 1_000_000_000_001 }, amountInvalid],
    [{ amount_cents: 1, reason: '' }, currencyInvalid('undefined')],
    [{ ...bonus, currency: 'GBP', reason: 1 }, currencyInvalid('GBP')],
    [{ ...bonus, currency: 5 }, currencyInvalid('5')],
    [{ ...bonus, reason: undefined }, 'reason is required'],
    [{ ...bonus, reason: '  ' }, 'reason is required'],
    [{ ...bonus, reason: 7 }, 'reason is required'],
    [{ ...bonus, reason: 'x'.repeat(501) }, 'reason is required'],
  ])('with 400 for %o, with the message about the first invalid field', async (body, message) => {
    const own = await ownedBrand(world);
    expect(await grant(own, body)).toMatchObject(refusal(400, message));
    expect((await own.owner.get(`${own.path}/commissions`)).body.data).toEqual([]);
  });

  it('with 404 for a partner of another program, else with 403 to a member, before the fields are checked', async () => {
    const own = await ownedBrand(world);
    const { workspace } = await ownerOfBrand(world, own);
    const member = dashboard((await memberOf(world, workspace)).token);
    const ownersOnly = platformError(403, 'Only a workspace owner can do this');
    expect(await member.post(pathOf(own), {})).toMatchObject({ status: 403, body: ownersOnly });
    const other = await ownedBrand(world);
    const unknown = platformError(404, 'Partner not found');
    for (const id of [other.partner.id, 'x']) {
      const path = `${own.path}/partners/${id}/commissions`;
      expect(await member.post(path, {})).toMatchObject({ status: 404, body: unknown });
    }
  });

  it('with 409 for a removed partner, even if removed in parallel, but not for a restored partner', async () => {
    const own = await ownedBrand(world);
    const removed = platformError(409, 'No partner-program relationship found for this partner');
    const set = (status: string) => own.owner.patch(`${own.path}/partners/${own.partner.id}`, { status });
    const overtaken = await failing(
      'write',
      overtakenBy(() => set('removed')),
      () => grant(own),
    );
    expect(overtaken).toMatchObject({ status: 409, body: removed });
    expect(await grant(own)).toMatchObject({ status: 409, body: removed });
    expect(await grant(own, {})).toMatchObject({ status: 400 });
    expect((await own.owner.get(`${own.path}/commissions`)).body.data).toEqual([]);
    await set('active');
    expect((await grant(own)).status).toBe(200);
  });
});

it('if the write of a granted commission fails, the commission does not exist and can be granted again', async () => {
  const own = await ownedBrand(world);
  const failed = await failing('write', refused('InternalServerError'), () => grant(own));
  expect(failed).toMatchObject({ status: 500, body: { error: { message: expect.stringMatching(/^Request failed/) } } });
  expect((await own.owner.get(`${own.path}/commissions`)).body.data).toEqual([]);
  expect((await grant(own)).status).toBe(200);
});

it('a granted commission is stored once even if its write is sent again after a lost reply', async () => {
  const own = await ownedBrand(world);
  const { body } = await failing('write', sentAgain, () => grant(own));
  expect(body.data).toEqual(manual(own));
  expect((await own.owner.get(`${own.path}/commissions`)).body.data).toEqual([manual(own)]);
});

it('a granted commission is paid by exactly one payout, even if payouts and grants run in parallel', async () => {
  const own = await ownedBrand(world);
  await grant(own);
  const pay = () => own.owner.post(`${own.path}/payouts`);
  const [first] = await Promise.all([pay(), ...Array.from({ length: 5 }, () => grant(own))]);
  const rest = await pay();
  const paid = [first, rest].flatMap(({ status, body }) =>
    status === 200 ? body.data.items.flatMap((one: { commission_ids: number[] }) => one.commission_ids) : [],
  );
  expect(new Set(paid).size).toBe(6);
  expect(paid).toHaveLength(6);
  const listed = (await own.owner.get(`${own.path}/commissions`)).body.data as { status: string }[];
  expect(listed.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'paid'));
});
