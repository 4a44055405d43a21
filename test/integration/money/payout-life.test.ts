import { beforeAll, describe, expect, it } from 'vitest';
import { expectPayoutsToAgree } from '#test/support/payments/payouts-agree.ts';
import { type Payee, payees } from '#test/support/payments/payees.ts';
import { expectSepaSchema } from '#test/support/payments/sepa-schema.ts';
import { portal } from '#test/support/callers/portal.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { grant, type PaidPerson, paidPerson } from '#test/support/programs/paid-people.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';
import { counted } from '#test/support/table/stream.ts';

// A payout of 40 partners, from its preview to the payout that pays again what came back. Each test continues the previous
// one. The pages of the same payout are in test/browser/payouts/payout-life.test.ts.

// It has a key for secrets.
openProcessor();

const world = openedWorld();

const LATER = new Date('2026-12-20T10:00:00.000Z');
const minutes = (count: number) => new Date(LATER.getTime() + count * 60_000);
const WHOLE = { only_with_details: true };

type Row = Record<string, unknown>;
interface Line extends Row {
  readonly id: string;
  readonly number: string;
  readonly partner_id: number;
  readonly currency: string;
  readonly amount_cents: number;
  readonly method: string;
  readonly status: string;
  readonly reason: string | null;
}

let own: OwnedBrand;
const people: (PaidPerson & { readonly payee: Payee })[] = [];
let payoutId: number;
/** The lines of the payout as they were recorded. */
let recorded: readonly Line[];

const sumOf = (rows: readonly { readonly currency: unknown; readonly amount_cents: number }[]) => {
  const sums: Record<string, number> = {};
  for (const { currency, amount_cents: cents } of rows) sums[String(currency)] = (sums[String(currency)] ?? 0) + cents;
  return sums;
};
const read = async (path: string, at: Date) => {
  const { status, body } = await own.owner.get(`${own.path}${path}`, { at });
  expect([path, status]).toEqual([path, 200]);
  return body.data;
};
const post = async (path: string, body: object, at: Date) => {
  const reply = await own.owner.post(`${own.path}${path}`, body, { at });
  expect([path, reply.status]).toEqual([path, 200]);
  return reply.body.data;
};
const linesAt = (at: Date): Promise<Line[]> => read(`/payouts/${payoutId}/lines?limit=100`, at);
const change = async (ids: readonly string[], status: string, at: Date, reason?: string) => {
  const changed = await post(`/payouts/${payoutId}/lines`, { ids, status, reason }, at);
  expect(changed).toEqual(ids.map((id) => ({ id, status, error: null })));
};
const file = async (ending: string): Promise<string> => {
  const { status, body } = await own.owner.get(`${own.path}/payouts/${payoutId}${ending}`, { at: minutes(1) });
  expect([ending, status]).toEqual([ending, 200]);
  return body;
};

/** The cells of a CSV file by RFC 4180. */
function cellsOf(csv: string): string[][] {
  expect(csv.endsWith('\r\n')).toBe(true);
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

const isFormula = (cell: string) => /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell);
const expectNoFormula = (cells: readonly (readonly string[])[]) => expect(cells.flat().filter(isFormula)).toEqual([]);

const inUnits = (cents: number) => (cents / 100).toFixed(2);

interface BankFile {
  readonly format: 'paypal' | 'wise' | 'sepa';
  readonly currency: string;
  readonly lines: number;
  readonly amount_cents: number;
}
const methodOf = { paypal: 'paypal', wise: 'wise', sepa: 'bank' } as const;

/** The amounts in a file for a bank, in their order. */
async function amountsIn({ format, currency }: BankFile): Promise<(string | undefined)[]> {
  if (format === 'sepa') {
    return [...(await file('.sepa.xml')).matchAll(/<InstdAmt Ccy="EUR">(.+?)</g)].map(([, amount]) => amount);
  }
  const cells = cellsOf(await file(`.${format}.csv?currency=${currency}`));
  expectNoFormula(cells);
  return format === 'paypal' ? cells.map((row) => row[1]) : cells.slice(1).map((row) => row[5]);
}

/** A change of this time holds the payouts of the person. */
const changeDetails = (token: string) =>
  portal(token).put('/payout-details', { method: 'paypal', email: 'changed@money.test' }, { at: LATER });

beforeAll(async () => {
  own = await ownedBrand(world);
  await own.owner.patch('/workspace/payer', { name: 'Acme GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFF' });
  for (const payee of payees) {
    const person = await paidPerson(world, own, payee.name, payee);
    if (payee.isHeld) await changeDetails(person.token);
    people.push({ ...person, payee });
  }
});

const idOf = (isWanted: (payee: Payee) => boolean) =>
  people.filter(({ payee }) => isWanted(payee)).map(({ partnerId }) => partnerId);

describe('a payout of 40 partners, followed over its whole life,', () => {
  it('is previewed with its totals and with the reason why partners are left out', async () => {
    const preview = await post('/payouts/preview', WHOLE, LATER);
    const due = payees.filter(({ details, isHeld }) => details && !isHeld);
    const cents: Record<string, number> = {};
    for (const [currency, amount] of due.flatMap(({ amounts }) => Object.entries(amounts))) {
      cents[currency] = (cents[currency] ?? 0) + amount;
    }
    expect(preview.totals).toEqual(cents);
    expect(preview.counts).toMatchObject({ partners: 36, left_out: preview.left_out.length });
    const leftOut = (preview.left_out as Row[]).map(({ partner_id: id, reason }) => `${String(id)} ${String(reason)}`);
    expect(new Set(leftOut)).toEqual(
      new Set([
        ...idOf(({ isHeld }) => isHeld).map((id) => `${id} held`),
        ...idOf(({ details }) => !details).map((id) => `${id} no_details`),
      ]),
    );
    const [eight, twelve] = [people[8]!.partnerId, people[12]!.partnerId];
    const shared = (preview.items as { partner_id: number; same_account: number[] }[])
      .filter(({ same_account: ids }) => ids.length > 0)
      .map(({ partner_id: id, same_account: ids }) => [id, ids]);
    expect(shared).toEqual([
      [eight, [twelve]],
      [twelve, [eight]],
    ]);
    const made = await post('/payouts', { ...WHOLE, expected_totals: preview.totals }, LATER);
    expect(made).toMatchObject({ status: 'made', totals: cents, lines: preview.counts.lines, progress: null });
    payoutId = made.id;
    recorded = await linesAt(minutes(1));
    expect(sumOf(recorded)).toEqual(cents);
    expect(new Set(recorded.map(({ method }) => method))).toEqual(new Set(['bank', 'paypal', 'wise', 'other']));
  });

  it('has files with exactly its lines and sums, and no cell that a spreadsheet reads as a formula', async () => {
    const { files, without_file: without } = await read(`/payouts/${payoutId}/files`, minutes(1));
    const all = cellsOf(await file('.csv?bom=1'));
    expect(all[0]![0]).toBe('\uFEFFpayout_id');
    expectNoFormula(all);
    const [header, ...rows] = all as [string[], ...string[][]];
    expect(new Set(all.map(({ length }) => length))).toEqual(new Set([header.length]));
    const cell = (row: readonly string[], name: string) => row[header.indexOf(name)];
    expect(rows.map((row) => [cell(row, 'line_id'), cell(row, 'amount'), cell(row, 'status')])).toEqual(
      recorded.map(({ id, amount_cents: cents }) => [id, inUnits(cents), 'recorded']),
    );
    const inFiles: string[] = [];
    for (const one of files as BankFile[]) {
      const ofFile = recorded.filter((line) => line.method === methodOf[one.format] && line.currency === one.currency);
      const amounts = ofFile.map((line) => line.amount_cents);
      expect([one.lines, one.amount_cents]).toEqual([amounts.length, amounts.reduce((sum, cents) => sum + cents, 0)]);
      expect([one.format, await amountsIn(one)]).toEqual([one.format, amounts.map(inUnits)]);
      inFiles.push(...ofFile.map(({ id }) => id));
    }
    expect((files as BankFile[]).map(({ format, currency }) => `${format} ${currency}`)).toEqual([
      'paypal EUR',
      'paypal USD',
      'wise EUR',
      'wise USD',
      'sepa EUR',
    ]);
    inFiles.push(...(without as { id: string }[]).map(({ id }) => id));
    expect(inFiles.toSorted()).toEqual(recorded.map(({ id }) => id).toSorted());
    expect(new Set((without as Row[]).map(({ reason }) => reason))).toEqual(new Set(['no_format', 'not_euro']));
  });

  it('has a SEPA file that contains each of its lines in euros once, and their sum', async () => {
    const xml = await file('.sepa.xml');
    expectSepaSchema(xml);
    const inEuros = recorded.filter(({ method, currency }) => method === 'bank' && currency === 'EUR');
    const named = [...xml.matchAll(/<EndToEndId>(.+?)</g)].map(([, number]) => number);
    expect(named).toEqual(inEuros.map(({ number }) => number));
    const sums = [...xml.matchAll(/<CtrlSum>(.+?)</g)].map(([, sum]) => sum);
    const sum = inUnits(sumOf(inEuros)['EUR']!);
    expect(sums).toEqual([sum, sum]);
  });

  it('has totals by status that equal the sums of its lines, after some lines are marked as sent, failed or void', async () => {
    const [first, second, ...others] = recorded.map(({ id }) => id);
    const sent = [first!, second!, ...others.slice(0, 8)];
    await change(sent, 'sent', minutes(2));
    await change([first!, second!], 'failed', minutes(60), 'The account is closed');
    await change([others.at(-1)!], 'void', minutes(61), 'Wrong amount');
    const lines = await linesAt(minutes(62));
    const { by_status: byStatus, totals } = await read(`/payouts/${payoutId}`, minutes(62));
    expect(totals).toEqual(sumOf(recorded));
    for (const [status, count] of Object.entries({ sent: 8, failed: 2, void: 1, recorded: recorded.length - 11 })) {
      const some = lines.filter((line) => line.status === status);
      expect([status, byStatus[status]]).toEqual([status, { lines: count, totals: sumOf(some) }]);
    }
    await expectPayoutsToAgree(world);
  });

  it('is followed by a payout of exactly the failed and void lines, and then by a payout that is less a deduction', async () => {
    const lines = await linesAt(minutes(63));
    const sent = lines.find(({ status }) => status === 'sent')!;
    const deduction = { amount_cents: 700, currency: sent.currency, reason: 'Paid too much', deduction: true };
    await post(`/partners/${sent.partner_id}/commissions`, deduction, minutes(63));
    const back = lines.filter(({ status }) => status === 'failed' || status === 'void');
    const next = await post('/payouts', WHOLE, minutes(64));
    expect(next).toMatchObject({ status: 'made', lines: 3, totals: sumOf(back) });
    expect(
      (next.items as Row[]).map(({ partner_id: id, currency, amount_cents: cents }) => [id, currency, cents]),
    ).toEqual(back.map((line) => [line.partner_id, line.currency, line.amount_cents]));
    await grant(own, sent.partner_id, 1_000, sent.currency);
    const third = await post('/payouts', WHOLE, minutes(65));
    expect(third.items).toMatchObject([{ partner_id: sent.partner_id, currency: sent.currency, amount_cents: 300 }]);
    await expectPayoutsToAgree(world);
  });

  it('shows each partner the same amounts as the brand', async () => {
    await counted(world);
    const at = minutes(66);
    const payouts = (await read('/payouts', at)) as { id: number }[];
    const all: Line[] = [];
    for (const { id } of payouts) all.push(...((await read(`/payouts/${id}/lines?limit=100`, at)) as Line[]));
    const owed = await read('/owed', at);
    const due: Record<string, number> = {};
    const statements: string[] = [];
    for (const { token, partnerId, payee } of people) {
      const user = portal(token);
      const seen = async (path: string) => (await user.get(`${own.path}${path}`, { at })).body.data;
      const lines = all.filter(({ partner_id: id }) => id === partnerId);
      const fields = ({ number, currency, amount_cents: cents, status, reason, sent_at: sentAt }: Row) => ({
        number,
        currency,
        cents,
        status,
        reason,
        sentAt,
      });
      const byNumber = (rows: readonly Row[]) =>
        rows.map(fields).toSorted((a, b) => (String(a.number) < String(b.number) ? -1 : 1));
      expect(byNumber(await seen('/payouts'))).toEqual(byNumber(lines));
      const standing = sumOf(lines.filter(({ status }) => status !== 'failed' && status !== 'void'));
      const balance = (await seen('/balance')) as Record<string, Record<string, number>>;
      for (const [currency, amounts] of Object.entries(balance)) {
        expect([payee.name, currency, amounts['paid_cents']]).toEqual([payee.name, currency, standing[currency] ?? 0]);
        expect(amounts['restored_cents']).toBe(0);
        const { approved_cents: approved = 0, held_cents: held = 0, withheld_cents: withheld = 0 } = amounts;
        const left = (payee.amounts[currency] ?? 0) * (payee.details && !payee.isHeld ? 0 : 1);
        expect([payee.name, currency, approved + held - withheld]).toEqual([payee.name, currency, left]);
        due[currency] = (due[currency] ?? 0) + approved;
      }
      const commissions: { payout_id: number | null; currency: string; payout_status: string | null }[] =
        await seen('/commissions');
      const statusOf = new Map(lines.map((line) => [`${String(line['payout_id'])} ${line.currency}`, line.status]));
      for (const { payout_id: id, currency, payout_status: status } of commissions) {
        const expected = id === null ? null : statusOf.get(`${id} ${currency}`);
        expect([payee.name, status]).toEqual([payee.name, expected]);
      }
      for (const line of lines) {
        const statement = await seen(`/statements/${line.number}`);
        expect(statement).toEqual(await read(`/statements/${line.number}`, at));
        statements.push(line.number);
        const items = statement.items as { amount_cents: number }[];
        expect([line.number, items.reduce((sum, one) => sum + one.amount_cents, 0), statement.total_cents]).toEqual([
          line.number,
          line.amount_cents,
          line.amount_cents,
        ]);
      }
    }
    expect(statements.toSorted()).toEqual(all.map(({ number }) => number).toSorted());
    expect(Object.keys(due).toSorted()).toEqual(['EUR', 'USD']);
    for (const [currency, { approved_cents: approved }] of Object.entries(
      owed as Record<string, Record<string, number>>,
    )) {
      expect([currency, approved]).toEqual([currency, due[currency]]);
    }
  });
});
