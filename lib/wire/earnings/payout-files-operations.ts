import * as z from 'zod/mini';
import { bankFormats, payableStatuses } from '#lib/service/earnings/files/bank-file.ts';
import { lineStatuses } from '#lib/service/earnings/lines/payout-line.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ofProgram, ownersOnly } from '#lib/wire/document/dashboard-operations.ts';
import { ANY_NUMBER, ANY_TEXT } from '#lib/wire/document/error-bodies.ts';
import { headersOf, type Operation, operation } from '#lib/wire/document/operation.ts';
import { PayoutFiles } from '#lib/wire/earnings/payout-files.ts';
import { Payout } from '#lib/wire/earnings/payout.ts';
import { currency } from '#lib/wire/words/fields.ts';
import { byteOrderMark, chosen, inPath, inQuery, programId } from '#lib/wire/words/parameters.ts';
import { data } from '#lib/wire/words/wrapped.ts';

const family = ofProgram('reports and payouts');
const payoutId = inPath('payout_id', 'The payout.');

export const payoutFilesRoutes = {
  'dashboard/payout/get': operation(family, {
    id: 'getPayout',
    summary: 'Read a payout',
    description:
      'With an ending behind the id, for owners with a sign-in of the last 15 minutes: a file. `.csv` has every line, UTF-8, CRLF, ' +
      'quoted by RFC 4180; cells of the account are empty while a change of it is held; `new_since_last_payout` is `yes` where no ' +
      'earlier payout of the program went there. `.paypal.csv`, `.wise.csv`, `.wise-iban.csv` and `.sepa.xml` ' +
      '(pain.001.001.09) are for payment services and banks: `recorded` lines in one currency, in parts of at most 1,000 (Wise) or 5,000. ' +
      'People whose whole details are in a file get a mail.',
    parameters: [
      programId,
      payoutId,
      chosen('status', 'Of a file: only those lines.', lineStatuses),
      inQuery('currency', 'Of a file: only this one.', currency),
      inQuery('part', 'Of a file for a bank. Default: 1.', z.string()),
      byteOrderMark,
    ],
    others: {
      200: {
        description: 'The payout, or its file.',
        contentType: 'application/json',
        fileTypes: ['text/csv', 'application/xml'],
        body: data(Payout),
        headers: { ...headersOf(family, 200), 'Content-Disposition': 'sometimes' },
      },
    },
    refusals: [
      refusals.payoutNotFound(),
      refusals.ownerOnly(),
      refusals.signInAgain(),
      refusals.notOneOf('status', ANY_TEXT, lineStatuses),
      refusals.notOneOf('status', ANY_TEXT, payableStatuses),
      refusals.notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
      refusals.payoutUnderWay(ANY_NUMBER),
      refusals.payoutsFrozen(),
      refusals.fileTooLarge(),
      refusals.noLineFits(),
      refusals.badRequest(refusals.FILE_CURRENCY_MISSING),
      refusals.partInvalid(ANY_NUMBER),
      refusals.payerIncomplete(),
    ],
  }),
  'dashboard/payout-files/get': operation(ownersOnly(family), {
    id: 'listPayoutFiles',
    summary: 'List the files that the lines of a payout fit',
    description: `For owners. Each line is in at most one of ${bankFormats.map((format) => `\`${format}\``).join(', ')}.`,
    parameters: [programId, payoutId, chosen('status', 'Only those lines. Default: `recorded`.', payableStatuses)],
    ok: [data(PayoutFiles)],
    refusals: [
      refusals.payoutNotFound(),
      refusals.notOneOf('status', ANY_TEXT, payableStatuses),
      refusals.payoutUnderWay(ANY_NUMBER),
    ],
  }),
} satisfies Readonly<Record<string, Operation>>;
