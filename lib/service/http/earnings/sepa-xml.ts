import { createHash } from 'node:crypto';
import { dayOf } from '#lib/service/ground/values/day.ts';
import { decimalText, sumOf } from '#lib/service/ground/values/money.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { MOST_REMITTANCE, sepaName, sepaText } from '#lib/service/earnings/files/bank-text.ts';
import type { BankFilePart } from '#lib/service/earnings/files/export-payout.ts';
import type { LineToPay } from '#lib/service/earnings/files/lines-to-pay.ts';
import { lineNumberOf } from '#lib/service/earnings/lines/payout-line.ts';
import type { PayerAccount } from '#lib/service/people/workspaces/read-payer.ts';
import { remittanceOf } from '#lib/service/http/earnings/bank-csv.ts';

// Writes credit transfers in the format that banks of SEPA accept: ISO 20022, pain.001.001.09.

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
/** How many characters of the hash are in the message id, which has at most 35 characters. */
const HASH_CHARACTERS = 16;

type Content = string | readonly string[];

/** An XML element that contains texts or other elements. */
const element = (name: string, content: Content, attributes = ''): string =>
  typeof content === 'string'
    ? `<${name}${attributes}>${escaped(content)}</${name}>`
    : `<${name}${attributes}>${content.join('')}</${name}>`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Nested elements: each is the only content of the previous one. */
const nested = (names: readonly string[], content: Content): string =>
  names.toReversed().reduce<Content>((inner, name) => [element(name, inner)], content)[0]!;

/** The file of a SEPA credit transfer. @param payer the paying account; its name contains a letter or digit */
export function sepaXml(
  { lines }: Pick<BankFilePart, 'lines'>,
  payer: PayerAccount,
  program: Pick<Program, 'name'>,
  now: Date,
): string {
  const payments = lines.map((line) => paymentOf(line, program));
  const messageId = messageIdOf(lines[0]!.line.payoutId, payer, payments);
  const totals = [
    element('NbOfTxs', String(lines.length)),
    element('CtrlSum', decimalText(sumOf(lines.map(({ line }) => line.amountCents)), 'EUR')),
  ];
  const name = sepaName(payer.name);
  const header = element('GrpHdr', [
    element('MsgId', messageId),
    element('CreDtTm', `${now.toISOString().slice(0, 19)}Z`),
    ...totals,
    nested(['InitgPty', 'Nm'], name),
  ]);
  const payment = element('PmtInf', [
    element('PmtInfId', messageId),
    element('PmtMtd', 'TRF'),
    ...totals,
    nested(['PmtTpInf', 'SvcLvl', 'Cd'], 'SEPA'),
    nested(['ReqdExctnDt', 'Dt'], dayOf(now)),
    nested(['Dbtr', 'Nm'], name),
    nested(['DbtrAcct', 'Id', 'IBAN'], payer.iban),
    nested(
      ['DbtrAgt', 'FinInstnId'],
      [payer.bic === undefined ? nested(['Othr', 'Id'], 'NOTPROVIDED') : element('BICFI', payer.bic)],
    ),
    element('ChrgBr', 'SLEV'),
    ...payments,
  ]);
  const document = element('Document', [element('CstmrCdtTrfInitn', [header, payment])], ` xmlns="${NAMESPACE}"`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;
}

function paymentOf({ line, details, holder }: LineToPay, program: Pick<Program, 'name'>): string {
  const { iban = '', bic } = details && 'iban' in details ? details : {};
  const remittance = sepaText(remittanceOf(program, line.payoutId), MOST_REMITTANCE);
  return element('CdtTrfTxInf', [
    nested(['PmtId', 'EndToEndId'], lineNumberOf(line)),
    element('Amt', [element('InstdAmt', decimalText(line.amountCents, 'EUR'), ' Ccy="EUR"')]),
    ...(bic === undefined ? [] : [nested(['CdtrAgt', 'FinInstnId', 'BICFI'], bic)]),
    nested(['Cdtr', 'Nm'], sepaName(holder)),
    nested(['CdtrAcct', 'Id', 'IBAN'], iban),
    nested(['RmtInf', 'Ustrd'], remittance),
  ]);
}

/**
 * An id for the file. Two files have the same id only if their payments are equal, so that a bank refuses the second of
 * two equal files.
 */
function messageIdOf(payoutId: number, { iban }: PayerAccount, payments: readonly string[]): string {
  const hash = createHash('sha256')
    .update([iban, ...payments].join('\n'))
    .digest('hex');
  return `P${payoutId}-${hash.slice(0, HASH_CHARACTERS)}`;
}
