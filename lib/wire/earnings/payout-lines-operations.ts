import * as z from 'zod/mini';
import { lineStatuses } from '#lib/service/earnings/lines/payout-line.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { ofProgram, ownersOnly, pageRefusals, recentSignIn } from '#lib/wire/document/dashboard-operations.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { LineStatus } from '#lib/wire/earnings/line-status.ts';
import { ChangedLine, CommissionInLine, PayoutLine } from '#lib/wire/earnings/payout-line.ts';
import { LineIds } from '#lib/wire/earnings/payout-lines-request.ts';
import { about, currency, id, optionalText } from '#lib/wire/words/fields.ts';
import { chosen, inPath, inQuery, page, programId } from '#lib/wire/words/parameters.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';

const family = ofProgram('reports and payouts');
const payoutId = inPath('payout_id', 'The payout.');
const lineId = inPath('line_id', 'The line: partner and currency, such as `5-USD`.', z.string());
const lineMethods = [...payoutMethods, 'none'];

export const payoutLinesRoutes = {
  'dashboard/payout-lines/get': operation(family, {
    id: 'listPayoutLines',
    summary: 'List the lines of a payout',
    description: 'By partner and currency. With a filter that few lines fit, a page may be short or empty.',
    parameters: [
      programId,
      payoutId,
      ...page,
      chosen('status', 'Only those.', lineStatuses),
      inQuery('currency', "Only those in this one of the installation's currencies.", currency),
      inQuery('partner_id', 'Only those of this partner.', id),
      chosen('method', 'Only those that are paid this way; `none`: without payout details.', lineMethods),
    ],
    ok: [listOf(PayoutLine)],
    refusals: [
      refusals.payoutNotFound(),
      ...pageRefusals,
      refusals.notOneOf('status', ANY_TEXT, lineStatuses),
      refusals.notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
      refusals.notOneOf('method', ANY_TEXT, lineMethods),
    ],
  }),
  'dashboard/payout-lines/post': operation(recentSignIn(ownersOnly(family)), {
    id: 'changePayoutLines',
    summary: 'Say what became of lines of a payout',
    description:
      'For owners; to fail or void lines, with a sign-in of the last 15 minutes. `recorded`, `sent` and `paid` are marks ' +
      'and become each other. A `recorded` line becomes `void` because nothing was sent; a `sent` or `paid` one `failed` ' +
      'because the money did not arrive or came back. Both are final and give back what the line holds: its commissions ' +
      'are due again, and the partner reads the reason. While payouts are frozen, lines can only be marked. Each line is judged by itself, and the answer is always 200. The ' +
      'status that a line has already is no error.',
    parameters: [programId, payoutId],
    body: z.extend(LineIds, {
      status: LineStatus,
      reason: about('Required for `failed` and `void`: 1 to 500 characters. Else ignored.', z.nullish(z.string())),
      reference: about('Such as the number of the bank transfer: 1 to 200 characters.', z.optional(optionalText)),
    }),
    ok: [data(z.array(ChangedLine))],
    refusals: [
      refusals.payoutNotFound(),
      ...bodyRefusals,
      refusals.badRequest(refusals.LINE_IDS_INVALID),
      refusals.notOneOf('status', ANY_TEXT, lineStatuses),
      refusals.reasonMissing(),
      refusals.badRequest(refusals.PAYOUT_REFERENCE_INVALID),
      refusals.payoutUnderWay(ANY_NUMBER),
      refusals.payoutsFrozen(),
    ],
  }),
  'dashboard/payout-line/get': operation(family, {
    id: 'getPayoutLine',
    summary: 'A line of a payout',
    parameters: [programId, payoutId, lineId],
    ok: [data(PayoutLine)],
    refusals: [refusals.payoutNotFound(), refusals.payoutLineNotFound()],
  }),
  'dashboard/payout-line/commissions': operation(family, {
    id: 'listCommissionsOfLine',
    summary: 'List the commissions of a line',
    description: 'Newest first, also those that a line which failed or is void has given back.',
    parameters: [programId, payoutId, lineId, ...page],
    ok: [listOf(CommissionInLine)],
    refusals: [refusals.payoutNotFound(), refusals.payoutLineNotFound(), ...pageRefusals],
  }),
} satisfies Readonly<Record<string, Operation>>;
