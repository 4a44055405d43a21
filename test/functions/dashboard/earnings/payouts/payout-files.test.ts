import { describe, expect, it } from 'vitest';
import { exportForBank, exportPayout } from '#lib/service/earnings/files/export-payout.ts';
import { findPayout } from '#lib/service/earnings/payouts/payouts-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { indexKeys } from '#lib/service/ground/table/keys.ts';
import { payoutFilesReply } from '#lib/service/http/earnings/payout-file-reply.ts';
import { expectSepaSchema } from '#test/support/payments/sepa-schema.ts';
import { dashboard } from '#test/support/callers/dashboard.ts';
import { portal } from '#test/support/callers/portal.ts';
import { dataReply } from '#test/support/callers/replies.ts';
import { openedWorld } from '#test/support/programs/opened-world.ts';
import { type OwnedBrand, ownedBrand } from '#test/support/programs/commissions.ts';
import { paidPerson } from '#test/support/programs/paid-people.ts';
import { memberOf } from '#test/support/programs/people.ts';
import { refusal } from '#test/support/servers/errors.ts';
import { openProcessor } from '#test/support/stripe/stripe.ts';

// It has a key for secrets.
openProcessor();

const world = openedWorld();

/** After the holds of new details. */
const LATER = new Date('2026-12-20T10:00:00.000Z');
const DE = 'DE89370400440532013000';
const FR = 'FR1420041010050500013M02606';
const AE = 'AE070331234567890123456';

const pay = async (own: OwnedBrand) => (await own.owner.post(`${own.path}/payouts`, {}, { at: LATER })).body.data;
const download = (own: OwnedBrand, id: number, ending: string, at = LATER) =>
  own.owner.get(`${own.path}/payouts/${id}${ending}`, { at });
const setPayer = (own: OwnedBrand, payer: object) => own.owner.patch('/workspace/payer', payer);
const textOf = async (own: OwnedBrand, id: number, ending: string) => (await download(own, id, ending)).body as unknown;
const exportsOf = async (own: OwnedBrand) =>
  ((await own.owner.get('/workspace/audit', { at: LATER })).body.data as { action: string; changes: object }[])
    .filter(({ action }) => action === 'payout.exported')
    .map(({ changes }) => changes);

/** One partner for each kind of payout details, and a payout of what they earned. */
async function everyKind() {
  const own = await ownedBrand(world);
  const ids: Record<string, number> = {};
  for (const [name, details, amounts, billing] of [
    ['Pia', { method: 'paypal', email: 'pia@example.com' }, { EUR: 1_234, USD: 580, VND: 580 }],
    ['=Wim, "W"', { method: 'wise', email: 'wim@example.com' }, { USD: 5 }],
    [
      'Wanda',
      { method: 'wise', email: 'wanda@example.com' },
      { USD: 100_000 },
      { name: '+Wanda Ltd', address: 'A 1\nB', country: 'US', tax_id: '=12' },
    ],
    ['Ivo', { method: 'wise', account_holder: '-Ivo Wise', iban: FR, bic: 'BNPAFRPP' }, { USD: 700 }],
    [
      'Sören',
      { method: 'bank', account_holder: 'Sören Weiß & Co', iban: DE, bic: 'COBADEFFXXX' },
      { EUR: 980, USD: 1 },
    ],
    ['Fee', { method: 'bank', account_holder: '-Fée', iban: FR }, { EUR: 100_000 }],
    ['Abu', { method: 'bank', account_holder: 'Abu', iban: AE }, { EUR: 2 }],
    [
      'Num',
      { method: 'bank', account_holder: 'Num', account_number: '12345678', routing_number: '021', country: 'US' },
      { USD: 3 },
    ],
    ['Odo', { method: 'other', instructions: 'Cash, please' }, { USD: 4 }],
    ['Nora', undefined, { EUR: 6 }],
    ['Plus', { method: 'paypal', email: '+plus@example.com' }, { USD: 7 }],
    ['Kanji', { method: 'bank', account_holder: '山田', iban: DE }, { EUR: 8 }],
  ] as const) {
    ids[name.replaceAll(/\W/g, '')] = (await paidPerson(world, own, name, { details, amounts, billing })).partnerId;
  }
  const { id } = await pay(own);
  return { own, id: id as number, ids };
}

const wiseHeader =
  'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency';

it('the list of files says with which partners the parts of a divided file begin', () => {
  const file = { format: 'wise', currency: 'USD', lines: 2, parts: 2 } as const;
  const files = [{ ...file, amountCents: 580, firstPartnerIds: [1, 3] }];
  expect(payoutFilesReply({ files, withoutFile: [] })).toEqual({
    files: [{ ...file, amount_cents: 580, first_partner_ids: [1, 3] }],
    without_file: [],
  });
});

describe('the files of a payout for payment services', () => {
  it('have exactly the bytes that the services expect; each payout line is in one file, or is listed with the reason why not', async () => {
    const { own, id, ids } = await everyKind();
    const { name } = own.program;
    const row = (partner: string, currency: string) => `${id}-${ids[partner]}-${currency}`;
    expect(await download(own, id, '/files')).toEqual(
      dataReply(
        {
          files: [
            { format: 'paypal', currency: 'EUR', lines: 1, amount_cents: 1_234, parts: 1 },
            { format: 'paypal', currency: 'USD', lines: 1, amount_cents: 580, parts: 1 },
            { format: 'paypal', currency: 'VND', lines: 1, amount_cents: 580, parts: 1 },
            { format: 'wise', currency: 'USD', lines: 2, amount_cents: 100_005, parts: 1 },
            { format: 'wise-iban', currency: 'USD', lines: 1, amount_cents: 700, parts: 1 },
            { format: 'sepa', currency: 'EUR', lines: 2, amount_cents: 100_980, parts: 1 },
          ],
          without_file: [
            { id: `${ids.Sren}-USD`, reason: 'not_euro' },
            { id: `${ids.Abu}-EUR`, reason: 'not_sepa' },
            { id: `${ids.Num}-USD`, reason: 'no_format' },
            { id: `${ids.Odo}-USD`, reason: 'no_format' },
            { id: `${ids.Nora}-EUR`, reason: 'no_details' },
            { id: `${ids.Plus}-USD`, reason: 'unsafe' },
            { id: `${ids.Kanji}-EUR`, reason: 'name' },
          ],
        },
        2,
        LATER,
      ),
    );
    expect(await textOf(own, id, '.paypal.csv?currency=USD')).toBe(
      `pia@example.com,5.80,USD,${row('Pia', 'USD')},${name}: payout ${id},PAYPAL\r\n`,
    );
    expect(await textOf(own, id, '.paypal.csv?currency=VND')).toBe(
      `pia@example.com,580,VND,${row('Pia', 'VND')},${name}: payout ${id},PAYPAL\r\n`,
    );
    expect(await download(own, id, '.wise.csv?bom=1')).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="payout-${id}-wise-USD.csv"`,
      },
      body: [
        `\uFEFF${wiseHeader}`,
        `"Wim, ""W""",wim@example.com,Payout ${id},PERSON,target,0.05,USD,USD`,
        `Wanda Ltd,wanda@example.com,Payout ${id},PERSON,target,1000.00,USD,USD`,
        '',
      ].join('\r\n'),
    });
    expect(await textOf(own, id, '.wise-iban.csv')).toBe(
      [`${wiseHeader},IBAN,BIC`, `Ivo Wise,,Payout ${id},PERSON,target,7.00,USD,USD,${FR},BNPAFRPP`, ''].join('\r\n'),
    );
    expect(await exportsOf(own)).toContainEqual({
      format: { from: null, to: 'wise-iban' },
      currency: { from: null, to: 'USD' },
      lines: { from: null, to: 1 },
      amount_cents: { from: null, to: 700 },
    });
  });

  it('include one file with all lines, which says for each line where the money goes and which other file contains it', async () => {
    const { own, id, ids } = await everyKind();
    const text = (await textOf(own, id, '.csv')) as string;
    const lines = text.split('\r\n');
    expect(lines[0]).toBe(
      'payout_id,partner_id,partner_name,partner_email,currency,amount_cents,commissions,method,details,reference,' +
        'new_since_last_payout,line_id,status,amount,account_holder,email,iban,bic,account_number,routing_number,' +
        'country,instructions,billing_name,billing_address,billing_country,tax_id',
    );
    const cells = (partner: string, currency: string) =>
      text.slice(text.indexOf(`,${ids[partner]}-${currency},`) + 1).split('\r\n')[0];
    expect(cells('Pia', 'VND')).toBe(`${ids.Pia}-VND,recorded,580,,pia@example.com,,,,,,,,,,`);
    expect(cells('Sren', 'EUR')).toBe(`${ids.Sren}-EUR,recorded,9.80,Sören Weiß & Co,,${DE},COBADEFFXXX,,,,,,,,`);
    expect(cells('Wanda', 'USD')).toBe(
      `${ids.Wanda}-USD,recorded,1000.00,,wanda@example.com,,,,,,,'+Wanda Ltd,"A 1\nB",US,'=12`,
    );
    expect(cells('Num', 'USD')).toBe(`${ids.Num}-USD,recorded,0.03,Num,,,,12345678,021,US,,,,,`);
    expect(cells('Odo', 'USD')).toBe(`${ids.Odo}-USD,recorded,0.04,,,,,,,,"Cash, please",,,,`);
    expect(cells('Nora', 'EUR')).toBe(`${ids.Nora}-EUR,recorded,0.06,,,,,,,,,,,,`);
    expect(await textOf(own, id, '.csv?bom=1')).toBe(`\uFEFF${text}`);
    const some = (await textOf(own, id, '.csv?currency=VND')) as string;
    expect(some).toBe(`${lines[0]}\r\n${lines.find((line) => line.includes(`${ids.Pia}-VND`))}\r\n`);
    expect(
      (await exportsOf(own)).map((changes) => Object.keys(changes)).toSorted((a, b) => a.length - b.length),
    ).toEqual([
      ['format', 'lines'],
      ['format', 'lines'],
      ['format', 'currency', 'lines', 'amount_cents'],
    ]);
  });
});

describe('the SEPA file of a payout', () => {
  it('is a credit transfer whose elements are in the order of the schema', async () => {
    const { own, id, ids } = await everyKind();
    expect(await download(own, id, '.sepa.xml')).toMatchObject(refusal(409, "Set the payer's name and IBAN first"));
    await setPayer(own, { name: 'Acmé <GmbH>' });
    expect(await download(own, id, '.sepa.xml')).toMatchObject(refusal(409, "Set the payer's name and IBAN first"));
    await setPayer(own, { iban: DE });
    const reply = await download(own, id, '.sepa.xml');
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'application/xml; charset=utf-8',
        'Content-Disposition': `attachment; filename="payout-${id}-sepa-EUR.xml"`,
      },
    });
    const xml = reply.body as unknown as string;
    expectSepaSchema(xml);
    const [, messageId] = /<MsgId>(.+?)<\/MsgId>/.exec(xml)!;
    expect(messageId).toMatch(new RegExp(`^P${id}-[0-9a-f]{16}$`));
    expect(xml).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn>' +
        `<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>2026-12-20T10:00:00Z</CreDtTm><NbOfTxs>2</NbOfTxs>` +
        '<CtrlSum>1009.80</CtrlSum><InitgPty><Nm>Acme .GmbH.</Nm></InitgPty></GrpHdr>' +
        `<PmtInf><PmtInfId>${messageId}</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>2</NbOfTxs><CtrlSum>1009.80</CtrlSum>` +
        '<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>2026-12-20</Dt></ReqdExctnDt>' +
        `<Dbtr><Nm>Acme .GmbH.</Nm></Dbtr><DbtrAcct><Id><IBAN>${DE}</IBAN></Id></DbtrAcct>` +
        '<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr>' +
        `<CdtTrfTxInf><PmtId><EndToEndId>${id}-${ids.Sren}-EUR</EndToEndId></PmtId>` +
        '<Amt><InstdAmt Ccy="EUR">9.80</InstdAmt></Amt>' +
        '<CdtrAgt><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></CdtrAgt><Cdtr><Nm>Soren Weiss . Co</Nm></Cdtr>' +
        `<CdtrAcct><Id><IBAN>${DE}</IBAN></Id></CdtrAcct>` +
        `<RmtInf><Ustrd>${own.program.name}: payout ${id}</Ustrd></RmtInf></CdtTrfTxInf>` +
        `<CdtTrfTxInf><PmtId><EndToEndId>${id}-${ids.Fee}-EUR</EndToEndId></PmtId>` +
        '<Amt><InstdAmt Ccy="EUR">1000.00</InstdAmt></Amt><Cdtr><Nm>Fee</Nm></Cdtr>' +
        `<CdtrAcct><Id><IBAN>${FR}</IBAN></Id></CdtrAcct>` +
        `<RmtInf><Ustrd>${own.program.name}: payout ${id}</Ustrd></RmtInf></CdtTrfTxInf>` +
        '</PmtInf></CstmrCdtTrfInitn></Document>\n',
    );
    await setPayer(own, { bic: 'COBADEFF' });
    const tomorrow = new Date(LATER.getTime() + 86_400_000);
    const again = (await download(own, id, '.sepa.xml', tomorrow)).body as unknown as string;
    expectSepaSchema(again);
    expect(again).toContain('<DbtrAgt><FinInstnId><BICFI>COBADEFF</BICFI></FinInstnId></DbtrAgt>');
    expect(again).toContain(`<MsgId>${messageId}</MsgId><CreDtTm>2026-12-21`);
    // Other lines are another file.
    const lines = { ids: [`${ids.Sren}-EUR`], status: 'sent' };
    await own.owner.post(`${own.path}/payouts/${id}/lines`, lines, { at: LATER });
    const [, sent] = /<MsgId>(.+?)</.exec((await textOf(own, id, '.sepa.xml?status=sent')) as string)!;
    const [, left] = /<MsgId>(.+?)</.exec((await textOf(own, id, '.sepa.xml')) as string)!;
    expect(new Set([messageId, sent, left]).size).toBe(3);
  });
});

describe('a file of a payout is refused', () => {
  it('for an invalid currency, status or part, and if no payout line belongs in it', async () => {
    const { own, id } = await everyKind();
    for (const [ending, status, message] of [
      ['.paypal.csv', 400, 'currency is required: this file holds one currency'],
      ['.paypal.csv?currency=XXX', 400, 'Invalid currency: XXX. Valid: USD, EUR, VND'],
      ['.sepa.xml?currency=USD', 400, 'Invalid currency: USD. Valid: EUR'],
      ['.wise.csv?status=gone', 400, 'Invalid status: gone. Valid: recorded, sent, paid'],
      ['.wise.csv?status=failed', 400, 'Invalid status: failed. Valid: recorded, sent, paid'],
      ['/files?status=void', 400, 'Invalid status: void. Valid: recorded, sent, paid'],
      ['.wise.csv?part=2', 400, 'part must be an integer from 1 to 1'],
      ['.wise.csv?part=x', 400, 'part must be an integer from 1 to 1'],
      ['.wise.csv?currency=EUR', 409, 'No payout line fits this file'],
      ['.wise.csv?status=sent', 409, 'No payout line fits this file'],
    ] as const) {
      expect({ ending, ...(await download(own, id, ending)) }).toMatchObject({ ending, ...refusal(status, message) });
    }
    expect(await exportsOf(own)).toEqual([]);
  });

  it('to members, and for an unknown payout', async () => {
    const { own, id } = await everyKind();
    const member = dashboard((await memberOf(world, { id: own.program.workspaceId })).token);
    for (const ending of ['.paypal.csv', '.wise.csv', '.wise-iban.csv', '.sepa.xml', '/files']) {
      expect((await member.get(`${own.path}/payouts/${id}${ending}`, { at: LATER })).status).toBe(403);
      expect((await download(own, 999_999, ending)).status).toBe(404);
    }
  });

  it('while payouts are frozen, but the list of files is still shown', async () => {
    const { own, id } = await everyKind();
    await own.owner.patch('/workspace', { payouts_frozen: true }, { at: LATER });
    expect(await download(own, id, '.wise.csv')).toMatchObject(refusal(409, 'Payouts of this workspace are frozen'));
    expect((await download(own, id, '/files')).status).toBe(200);
  });
});

it('a payout file that is too large for one reply is refused, and no download is recorded', async () => {
  const own = await ownedBrand(world);
  await paidPerson(world, own, 'Pia', { amounts: { USD: 1 } });
  const { id } = await pay(own);
  const [program, payout] = [
    await findProgram(world.deps().table, own.program.id),
    await findPayout(world.deps().table, id),
  ];
  const exported = (bytes: number) => exportPayout(world.deps(), program!, payout!, {}, () => 'text', bytes);
  await expect(exported(5)).rejects.toThrow('This file is too large for one reply. Choose a currency or a status.');
  expect(await exportsOf(own)).toEqual([]);
  expect(await exported(6)).toBe('text');
});

it('if the hold on one line’s payout details ends between two downloads, the other lines stay in the same file parts', async () => {
  const own = await ownedBrand(world);
  const people = [];
  for (const name of ['Ana', 'Ben', 'Cy']) {
    const details = { method: 'paypal', email: `${name.toLowerCase()}@example.com` };
    people.push(await paidPerson(world, own, name, { details, amounts: { USD: 100 } }));
  }
  const { id } = await pay(own);
  const changed = { method: 'paypal', email: 'new@example.com' };
  await portal(people[0]!.token).put('/payout-details', changed, { at: LATER });
  const partAt = async (at: Date, part: string) => {
    const deps = world.deps(at);
    const [program, payout] = [await findProgram(deps.table, own.program.id), await findPayout(deps.table, id)];
    const file = await exportForBank(deps, program!, payout!, 'paypal', { currency: 'USD', part }, 2);
    return file.lines.map(({ partner }) => partner?.name);
  };
  const held = new Date(LATER.getTime() + 60_000);
  const over = new Date(LATER.getTime() + 25 * 3_600_000);
  expect(await partAt(held, '1')).toEqual(['Ben']);
  expect(await partAt(over, '2')).toEqual(['Cy']);
  expect(await partAt(over, '1')).toEqual(['Ana', 'Ben']);
  const lines = { ids: people.slice(0, 2).map(({ partnerId }) => `${partnerId}-USD`), status: 'sent' };
  await own.owner.post(`${own.path}/payouts/${id}/lines`, lines, { at: over });
  expect(await partAt(over, '2')).toEqual(['Cy']);
  await expect(partAt(over, '1')).rejects.toThrow('No payout line fits this file');
  await expect(partAt(over, '3')).rejects.toThrow('part must be an integer from 1 to 2');
});

describe('payout details that a partner has just changed', () => {
  it('are in no payment file while the change keeps payouts on hold; a download with full details sends the owners a mail', async () => {
    const own = await ownedBrand(world);
    const details = { method: 'paypal', email: 'pia@example.com' };
    const pia = await paidPerson(world, own, 'Pia', { details, amounts: { USD: 100 } });
    const { id } = await pay(own);
    const changed = { method: 'paypal', email: 'thief@example.com' };
    const later = new Date(LATER.getTime() + 60_000);
    const again = await portal(pia.token).put('/payout-details', changed, { at: later });
    if (again.status !== 200) throw new Error(JSON.stringify(again.body));
    const without = [{ id: `${pia.partnerId}-USD`, reason: 'held' }];
    expect((await download(own, id, '/files', later)).body).toEqual({ data: { files: [], without_file: without } });
    expect(await download(own, id, '.paypal.csv', later)).toMatchObject(refusal(409, 'No payout line fits this file'));
    const csv = (await download(own, id, '.csv', later)).body as unknown as string;
    expect(csv.split('\r\n')[1]).toMatch(new RegExp(`,${pia.partnerId}-USD,recorded,1.00,{12}$`));
    const told = async () => {
      const { entries } = await world.deps().table.list(indexKeys.unsentMail('', '').gsi1pk, { most: 1_000 });
      const mails = await Promise.all(entries.map(({ pk, sk }) => world.deps().table.get<object>({ pk, sk })));
      const texts = mails.map((mail) => JSON.stringify(mail));
      return texts.filter((mail) => mail.includes(pia.account.email) && mail.includes('details_downloaded')).length;
    };
    expect(await told()).toBe(0);
    const held = new Date(later.getTime() + 25 * 3_600_000);
    expect((await download(own, id, '.paypal.csv', held)).body).toContain('thief@example.com,1.00,USD');
    expect(await told()).toBe(1);
  });

  it('are not in the file for a line that was already sent to the former details', async () => {
    const own = await ownedBrand(world);
    const details = { method: 'paypal', email: 'pia@example.com' };
    const pia = await paidPerson(world, own, 'Pia', { details, amounts: { USD: 100 } });
    const { id } = await pay(own);
    const sent = { ids: [`${pia.partnerId}-USD`], status: 'sent' };
    await own.owner.post(`${own.path}/payouts/${id}/lines`, sent, { at: LATER });
    expect((await download(own, id, '.paypal.csv?status=sent')).body).toContain('pia@example.com');
    await portal(pia.token).put('/payout-details', { method: 'paypal', email: 'new@example.com' }, { at: LATER });
    const held = new Date(LATER.getTime() + 25 * 3_600_000);
    const without = [{ id: `${pia.partnerId}-USD`, reason: 'no_details' }];
    expect((await download(own, id, '/files?status=sent', held)).body.data).toEqual({
      files: [],
      without_file: without,
    });
  });
});
