import { describe, expect, it } from 'vitest';
import { earned, HOLD_OVER, ownedBrand, refunded } from '#test/support/programs/commissions.ts';
import { countedHeaders } from '#test/support/callers/headers.ts';
import { soldTo } from '#test/support/payments/lives/journeys.ts';
import { NOW } from '#test/support/callers/request.ts';
import { addPartner } from '#lib/service/programs/partners/add-partner.ts';
import { createLink } from '#lib/service/programs/links/create-link.ts';
import { refusedReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';

const world = openedWorld();

const HEADER =
  'commission_id,sale_id,transaction_id,partner_id,partner_name,partner_email,status,currency,sale_amount_cents,' +
  'commission_cents,deducted_cents,payable_cents,platform_fee_cents,occurred_at,hold_until,approved_at,paid_at,' +
  'reversed_at,payout_id,kind,lead_id,tax_cents,code,flags,held_at,released_at,external_id,payout_status,sale_amount,commission,deducted,' +
  'payable,platform_fee';

describe('GET commissions.csv answers 200', () => {
  it('and exports every commission with its current status, newest first', async () => {
    const own = await ownedBrand(world);
    const at = NOW.toISOString();
    const held = HOLD_OVER.toISOString();
    // The time of a change that follows a creation at the time NOW.
    const next = new Date(NOW.getTime() + 1).toISOString();
    const first = await soldTo(own, 'first', { transaction_id: 'first' });
    await refunded(own, { transaction_id: 'first', refund_amount_cents: 2450 });
    const second = await soldTo(own, 'second', { transaction_id: 'second', currency: 'EUR', tax_cents: 900 });
    await own.owner.post(`${own.path}/commissions/${second.commission_id}/approve`);
    const reply = await own.owner.get(`${own.path}/commissions.csv`, { at: HOLD_OVER });
    expect(reply).toEqual({
      status: 200,
      headers: {
        ...countedHeaders(300, 1, HOLD_OVER),
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="commissions-${own.program.id}.csv"`,
      },
      body: [
        HEADER,
        `${second.commission_id},${second.sale_id},second,${own.partner.id},Ana,ana@partners.test,approved,EUR,4900,980,0,980,172,${at},${held},${next},,,,sale,,900,,,,,,,49.00,9.80,0.00,9.80,1.72`,
        `${first.commission_id},${first.sale_id},first,${own.partner.id},Ana,ana@partners.test,approved,USD,4900,980,490,490,86,${at},${held},${held},,,,sale,,,,,,,,,49.00,9.80,4.90,4.90,0.86`,
        '',
      ].join('\r\n'),
    });
  });

  it('with only the header line for a program without commissions', async () => {
    const own = await ownedBrand(world);
    expect((await own.owner.get(`${own.path}/commissions.csv`)).body).toBe(`${HEADER}\r\n`);
  });

  it('and makes texts safe for spreadsheets: formulas get a leading apostrophe, separators are quoted', async () => {
    const own = await ownedBrand(world);
    const texts = ['=1+1', '+1', '-1', '@SUM(A1)', 'a,b', 'say "hi"', "'quoted'", '=HYPERLINK("x","y")'];
    for (const text of texts) await soldTo(own, text, { transaction_id: text });
    const deps = world.deps();
    const partner = await addPartner(deps, own.program.id, { name: '@Eve, "the" =1', email: 'eve@partners.test' });
    const { shortLink } = await createLink(deps, own.program.id, { partnerId: partner.id });
    const eve = { ...own, affiliateUrl: `https://x.test/?aff=${shortLink}` };
    await soldTo(eve, 'of eve', { transaction_id: 'of eve' });
    const lines = (await own.owner.get(`${own.path}/commissions.csv`)).body.split('\r\n').slice(1, -1).toReversed();
    const cells = lines.map((line: string) => line.replace(/^\d+,\d+,/, '').replace(/,pending.*$/, ''));
    const ana = `,${own.partner.id},Ana,ana@partners.test`;
    expect(cells).toEqual([
      `'=1+1${ana}`,
      `'+1${ana}`,
      `'-1${ana}`,
      `'@SUM(A1)${ana}`,
      `"a,b"${ana}`,
      `"say ""hi"""${ana}`,
      `'quoted'${ana}`,
      `"'=HYPERLINK(""x"",""y"")"${ana}`,
      `of eve,${partner.id},"'@Eve, ""the"" =1",eve@partners.test`,
    ]);
  });

  it('and applies the same filters as the list', async () => {
    const own = await ownedBrand(world);
    const [kept, rejected] = await earned(own, 2);
    await own.owner.post(`${own.path}/commissions/${rejected}/reject`, { reason: 'Fraud' });
    const ids = async (query: string) =>
      (await own.owner.get(`${own.path}/commissions.csv?${query}`)).body
        .split('\r\n')
        .slice(1, -1)
        .map((line: string) => Number(line.split(',')[0]));
    expect(await ids('status=pending')).toEqual([kept]);
    expect(await ids('status=rejected')).toEqual([rejected]);
    expect(await ids(`partner_id=${own.partner.id}`)).toEqual([rejected, kept]);
    expect(await ids('partner_id=999')).toEqual([]);
  });
});

it('GET commissions.csv answers 400 as JSON to an unknown status', async () => {
  const own = await ownedBrand(world);
  expect(await own.owner.get(`${own.path}/commissions.csv?status=x`)).toEqual(
    refusedReply(400, 'Invalid status: x. Valid: held, pending, approved, paid, rejected, reversed'),
  );
});
