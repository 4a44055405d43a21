import { describe, expect, it } from 'vitest';
import { portal } from '#test/support/callers/portal.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { accepted } from '#test/support/programs/candidates.ts';
import { type OwnedBrand, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { grant, paidPerson } from '#test/support/programs/paid-people.ts';
import { memberOf, newAddress, ownerOfBrand, signedInAs } from '#test/support/programs/people.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { failingAt, refused, replyLost } from '#test/support/table/faults.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';

// It has a key for secrets.
openProcessor();

const world = openedWorld();

/** After the holds of new details. */
const LATER = new Date('2026-12-20T10:00:00.000Z');
const days = (count: number) => new Date(LATER.getTime() + count * 86_400_000);
const notFound = refusal(404, 'Statement not found');

const pay = async (own: OwnedBrand, at = LATER) =>
  (await own.owner.post(`${own.path}/payouts`, {}, { at })).body.data.id as number;
const mark = async (own: OwnedBrand, payoutId: number, id: string, body: object, at: Date) => {
  const path = `${own.path}/payouts/${payoutId}/lines`;
  const { data } = (await own.owner.post(path, { ids: [id], ...body }, { at })).body;
  expect(data).toMatchObject([{ id, error: null }]);
};
const statement = (own: OwnedBrand, number: string, at = LATER) =>
  own.owner.get(`${own.path}/statements/${number}`, { at });

const acme = { name: 'Acme GmbH', address: 'Am Markt 1\n10115 Berlin', country: 'DE', tax_id: 'DE123456789' };
const anaLtd = { name: 'Ana Ltd', address: 'High Street 2', country: 'GB', tax_id: 'GB987654321' };

/** A line of a bonus to a partner who has set everything. */
async function paidLine(more: { readonly billing?: object } = { billing: anaLtd }) {
  const own = await ownedBrand(world);
  const details = { method: 'paypal', email: 'ana@example.com' };
  const ana = await paidPerson(world, own, 'Ana P', { details, billing: more.billing, amounts: { EUR: 1_000 } });
  const second = await grant(own, ana.partnerId, 234);
  const id = await pay(own);
  const lineId = `${ana.partnerId}-EUR`;
  return { own, ana, id, lineId, number: `${id}-${lineId}`, second };
}

describe('a statement, the document about one line of a payout,', () => {
  it('shows the owner and the partner what a payout line pays; while the line is `recorded`, names and addresses are current', async () => {
    const { own, ana, number, second } = await paidLine();
    await own.owner.patch('/workspace/payer', acme);
    await own.owner.patch(own.path, { statement_note: 'Reverse charge' });
    const reply = await statement(own, number);
    const item = { kind: 'manual', occurred_at: expect.any(String), text: 'Bonus' };
    const data = {
      number,
      status: 'recorded',
      reason: null,
      program: { id: own.program.id, name: own.program.name },
      payer: acme,
      payee: anaLtd,
      paid_to: { method: 'paypal', masked: 'a***@example.com' },
      reference: null,
      currency: 'EUR',
      issued_on: '2026-12-20',
      sent_on: null,
      paid_on: null,
      ended_on: null,
      total_cents: 1_234,
      note: 'Reverse charge',
      items_total: 2,
      items: [
        { commission_id: expect.any(Number), ...item, amount_cents: 1_000 },
        { commission_id: second, ...item, amount_cents: 234 },
      ],
    };
    expect(reply).toEqual(dataReply(data, 2, LATER));
    const path = `${own.path}/statements/${number}`;
    expect((await portal(ana.token).get(path)).body).toEqual(reply.body);
    const viewed = (await portal((await ownerOfBrand(world, own)).token).get(`${path}?as=${ana.partnerId}`)).body.data;
    expect(viewed).toEqual({
      ...data,
      payer: { ...acme, tax_id: '****6789' },
      payee: { ...anaLtd, tax_id: '****4321' },
    });
  });

  it('uses the names of the workspace and the partner if neither has entered billing details', async () => {
    const { own, number } = await paidLine({});
    const nothing = { address: null, country: null, tax_id: null };
    const { payer, payee, note } = (await statement(own, number)).body.data;
    expect({ payer, payee, note }).toEqual({
      payer: { ...nothing, name: expect.stringMatching(/^Brand \d+$/) },
      payee: { ...nothing, name: 'Ana P' },
      note: null,
    });
  });

  it('keeps payer, payee, note and destination once the line is `sent`, and shows current ones if the line is `recorded` again', async () => {
    const { own, ana, id, lineId, number } = await paidLine();
    await own.owner.patch('/workspace/payer', acme);
    await own.owner.patch(own.path, { statement_note: 'First' });
    const before = (await statement(own, number)).body.data;
    await mark(own, id, lineId, { status: 'sent', reference: 'SEPA 17' }, days(1));
    const changeAll = async () => {
      await own.owner.patch('/workspace/payer', { name: 'Other', address: '', tax_id: 'X1' });
      await own.owner.patch(own.path, { statement_note: 'Second' });
      await portal(ana.token).put('/billing', { name: 'Another' });
      await portal(ana.token).put('/payout-details', { method: 'paypal', email: 'new@example.com' }, { at: days(1) });
    };
    await changeAll();
    const sent = { ...before, status: 'sent', sent_on: '2026-12-21', reference: 'SEPA 17' };
    expect((await statement(own, number)).body.data).toEqual(sent);
    await mark(own, id, lineId, { status: 'paid' }, days(2));
    expect((await statement(own, number)).body.data).toEqual({ ...sent, status: 'paid', paid_on: '2026-12-22' });
    await mark(own, id, lineId, { status: 'recorded' }, days(3));
    const nothing = { address: null, country: null, tax_id: null };
    expect((await statement(own, number)).body.data).toEqual({
      ...before,
      reference: 'SEPA 17',
      payer: { name: 'Other', address: null, country: 'DE', tax_id: 'X1' },
      payee: { ...nothing, name: 'Another' },
      note: 'Second',
      paid_to: { method: 'paypal', masked: 'n***@example.com' },
    });
    await mark(own, id, lineId, { status: 'paid' }, days(4));
    await mark(own, id, lineId, { status: 'failed', reason: 'Account closed' }, days(5));
    await own.owner.patch(own.path, { statement_note: '' });
    expect((await statement(own, number)).body.data).toMatchObject({
      status: 'failed',
      reason: 'Account closed',
      note: 'Second',
      payer: { name: 'Other' },
      sent_on: '2026-12-24',
      paid_on: null,
      ended_on: '2026-12-25',
      total_cents: 1_234,
      items: [{ amount_cents: 1_000 }, { amount_cents: 234 }],
    });
  });

  it(
    'stores payer and payee together with the status `sent`, or neither, if any table call of the change to `sent` fails',
    { tags: 'deep' },
    async () => {
      for (const fault of [refused('InternalServerError'), replyLost]) {
        const seen = new Set<string>();
        for (let at = 1, isOver = false; !isOver; at += 1) {
          const { own, id, lineId, number } = await paidLine();
          await own.owner.patch('/workspace/payer', acme);
          const body = { ids: [lineId], status: 'sent' };
          const marking = () => own.owner.post(`${own.path}/payouts/${id}/lines`, body, { at: days(1) });
          isOver = !(await failingAt(at, fault, marking).catch(() => undefined));
          await own.owner.patch('/workspace/payer', { ...acme, name: 'Other' });
          const { status, payer, sent_on: sentOn } = (await statement(own, number)).body.data;
          seen.add(status);
          expect([status, payer.name, sentOn]).toEqual(
            status === 'sent' ? ['sent', acme.name, '2026-12-21'] : ['recorded', 'Other', null],
          );
          await mark(own, id, lineId, { status: 'sent' }, days(2));
          await own.owner.patch('/workspace/payer', { name: 'Third' });
          expect((await statement(own, number)).body.data).toMatchObject({ status: 'sent', payer });
        }
        expect([...seen].toSorted()).toEqual(['recorded', 'sent']);
      }
    },
  );

  it('stores the partner’s billing details only encrypted, and only from the status `sent` on', async () => {
    const { own, id, lineId } = await paidLine();
    const stored = async () =>
      (await world.items(`PAYOUT#${id}`)).filter(({ sk }) => String(sk).startsWith('PARTIES#'));
    await mark(own, id, lineId, { status: 'recorded', reference: 'x' }, LATER);
    expect(await stored()).toEqual([]);
    await mark(own, id, lineId, { status: 'sent' }, LATER);
    const items = await stored();
    expect(items).toMatchObject([{ payee: { name: 'Ana P', sealed: expect.any(String) } }]);
    for (const text of Object.values(anaLtd).filter((one) => one.length > 2)) {
      expect(JSON.stringify(items)).not.toContain(text);
    }
  });

  it('shows no billing data of an account that shares none with the workspace', async () => {
    const own = await ownedBrand(world);
    const email = newAddress('shy');
    const { data } = (await own.owner.post(`${own.path}/partners`, { name: 'Shy', email })).body;
    const shy = await signedInAs(world, email);
    await portal(shy.token).put('/billing', anaLtd);
    await grant(own, data.id, 5);
    const id = await pay(own);
    const number = `${id}-${data.id}-EUR`;
    const payee = { name: 'Shy', address: null, country: null, tax_id: null };
    expect((await statement(own, number)).body.data).toMatchObject({ payee, paid_to: null });
    await mark(own, id, `${data.id}-EUR`, { status: 'sent' }, LATER);
    await accepted(shy, own.path);
    expect((await statement(own, number)).body.data).toMatchObject({ payee, paid_to: null });
  });

  it('lists sales and deductions without naming transactions or customers', async () => {
    const own = await ownedBrand(world);
    const ids = { transaction_id: `secret_tx_${own.program.id}` };
    const first = await soldTo(own, 'secret_customer', ids);
    const paid = await pay(own);
    await refunded(own, { ...ids, refund_amount_cents: 2_450 }, LATER);
    await grant(own, own.partner.id, 5_000, 'USD');
    const next = await pay(own, days(1));
    const sale = { kind: 'sale', commission_id: first.commission_id };
    const read = async (id: number) => (await statement(own, `${id}-${own.partner.id}-USD`)).body.data;
    expect(await read(paid)).toMatchObject({
      total_cents: 980,
      items: [{ ...sale, text: 'Commission for a sale', amount_cents: 980 }],
    });
    expect(await read(next)).toMatchObject({
      total_cents: 4_510,
      items: [
        { ...sale, text: 'Deduction for a refund', amount_cents: -490 },
        { kind: 'manual', text: 'Bonus', amount_cents: 5_000 },
      ],
    });
    const all = JSON.stringify([await read(paid), await read(next)]);
    expect(all).not.toContain('secret');
    const { body } = await statement(own, `${next}-${own.partner.id}-USD.csv?bom=1`);
    const number = `${next}-${own.partner.id}-USD`;
    const [{ occurred_at: saleAt }, { occurred_at: bonusAt, commission_id: bonus }] = (await read(next)).items;
    expect(body).toBe(
      [
        '\uFEFFnumber,commission_id,kind,occurred_at,text,currency,amount',
        `${number},${first.commission_id},sale,${saleAt},Deduction for a refund,USD,-4.90`,
        `${number},${bonus},manual,${bonusAt},Bonus,USD,50.00`,
        '',
      ].join('\r\n'),
    );
  });
});

describe('a request for a statement gets 404', () => {
  it('for a line of another program or partner, and for a statement number that does not exist', async () => {
    const { own, ana, number, id } = await paidLine();
    const other = await ownedBrand(world);
    const ben = await paidPerson(world, own, 'Ben', { amounts: {} });
    for (const one of [number, `${number}.csv`]) {
      expect(await other.owner.get(`${other.path}/statements/${one}`)).toMatchObject(notFound);
      expect(await portal(ben.token).get(`${own.path}/statements/${one}`)).toMatchObject(notFound);
      expect((await portal(ana.token).get(`${own.path}/statements/${one}`)).status).toBe(200);
    }
    for (const one of [
      'x',
      `${id}`,
      `${id}-${ana.partnerId}`,
      `${id}-${ana.partnerId}-USD`,
      `999999-${ana.partnerId}-EUR`,
      `0${number}`,
    ]) {
      expect(await statement(own, one)).toMatchObject(notFound);
    }
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    expect(await member.get(`${own.path}/statements/${number}`)).toMatchObject(
      refusal(403, 'Only a workspace owner can do this'),
    );
  });
});
