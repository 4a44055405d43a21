import * as z from 'zod/mini';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ManualCommission } from '#lib/wire/earnings/commission.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { about, cents, currency, day, id, list } from '#lib/wire/words/fields.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { inPath, inQuery, page, programId } from '#lib/wire/words/parameters.ts';
import { ListedPayout, Owed, Payout, PayoutPreview } from '#lib/wire/earnings/payout.ts';
import {
  DEDUCTION_INVALID,
  EXTERNAL_ID_INVALID,
  grantedAmount,
  GRANTED_AMOUNT_INVALID,
  grantOptions,
} from '#lib/wire/earnings/manual-commission-request.ts';
import { PayoutReference } from '#lib/wire/earnings/payout-reference-request.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';
import { ofProgram, ownersOnly, pageRefusals, recentSignIn } from '#lib/wire/document/dashboard-operations.ts';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';
import { seen, seenRefusals } from '#lib/wire/words/seen-request.ts';

const family = ofProgram('reports and payouts');
const payoutId = inPath('payout_id', 'The payout.');

const choice = {
  partner_id: about('Only to this partner.', z.nullish(id)),
  partner_ids: about(
    'Only to these partners, 1 to 10,000. Others of the three do not go with it.',
    z.nullish(list(id)),
  ),
  except_partner_ids: about('To all partners but these, 1 to 10,000.', z.nullish(list(id))),
  through: about('Only for sales paid until this day.', z.nullish(day)),
  method: about('Only to partners whose payout details have it.', z.nullish(z.enum(payoutMethods))),
  currency: about('Only in this one.', z.nullish(currency)),
  only_with_details: about('Leaves out partners without payout details. Default: false.', z.nullish(z.boolean())),
};
const requestRefusals = [
  refusals.partnerNotFound(),
  ...bodyRefusals,
  refusals.dateInvalid('through'),
  refusals.chosenPartnersInvalid(ANY_TEXT),
  refusals.oneChoiceOfPartners(),
  refusals.notOneOf('method', ANY_TEXT, payoutMethods),
  refusals.notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
  refusals.badRequest(refusals.ONLY_WITH_DETAILS_INVALID),
];
const recordingRefusals = [
  refusals.payoutsFrozen(),
  refusals.sandboxPaysNothing(),
  refusals.nothingToPayOut(),
  refusals.payoutUnderWay(ANY_NUMBER),
];

export const payoutRoutes = {
  'dashboard/owed/get': operation(family, {
    id: 'getOwed',
    summary: 'List what partners are owed',
    description:
      'The last changes may be missing. Even for a single partner, the service reads all unsettled commissions of the program, about 4,000 at a time.',
    parameters: [programId, inQuery('partner_id', 'Only what this partner is owed.', id)],
    ok: [data(Owed)],
    refusals: [refusals.partnerNotFound()],
  }),
  'dashboard/partner/commission': operation(recentSignIn(ownersOnly(family)), {
    id: 'grantCommission',
    summary: 'Grant a commission by hand, or deduct one',
    description:
      'For owners, for instance for a bonus, or with `deduction` to lower the next payout. The commission is approved at once and counts today. A removed partner can only be deducted from. With an `external_id` the request may be sent again: while partner, amount, currency and `deduction` are the same, it returns the first commission as it is now. Without an `external_id`, every request creates a commission.',
    parameters: [programId, inPath('partner_id', 'The partner.')],
    body: z.object({ amount_cents: grantedAmount, currency, ...Reason.shape, ...grantOptions }),
    ok: [data(ManualCommission)],
    refusals: [
      refusals.partnerNotFound(),
      ...bodyRefusals,
      refusals.badRequest(GRANTED_AMOUNT_INVALID),
      refusals.notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
      refusals.reasonMissing(),
      refusals.badRequest(DEDUCTION_INVALID),
      refusals.badRequest(EXTERNAL_ID_INVALID),
      refusals.externalIdTaken(ANY_NUMBER),
      refusals.noRelationWithPartner(),
    ],
  }),
  'dashboard/payouts/get': operation(family, {
    id: 'listPayouts',
    summary: 'List the payouts',
    description: 'Newest first. If payouts are very large, a page has fewer rows than requested.',
    parameters: [programId, ...page],
    ok: [listOf(ListedPayout)],
    refusals: pageRefusals,
  }),
  'dashboard/payouts/preview': operation(family, {
    id: 'previewPayout',
    summary: 'Preview a payout',
    description: 'Changes nothing. `items` is empty if no partner is due anything. The last changes may be missing.',
    parameters: [programId],
    body: z.optional(z.object(choice)),
    ok: [data(PayoutPreview)],
    refusals: requestRefusals,
  }),
  'dashboard/payouts/post': operation(recentSignIn(ownersOnly(family)), {
    id: 'payOut',
    summary: 'Create a payout of what partners are due',
    description:
      'For owners, with a sign-in of the last 15 minutes. Of two at once each commission is in one. It works for at most ' +
      '10 seconds: a payout that is still `open` then goes on by itself within two minutes, or at once with `continue`. ' +
      'With the choice of the open one, it goes on with that. Without an answer look at the list of payouts before you ' +
      'send it again. It holds at most 20,000 lines and 200,000 commissions; the rest waits for the next one. The money ' +
      'itself is sent outside the service.',
    parameters: [programId],
    body: z.optional(
      z.object({
        ...choice,
        expected_totals: about(
          '`totals` of the preview: where something else is due by now, no payout is begun. An open one goes on.',
          z.nullish(z.record(currency, cents)),
        ),
      }),
    ),
    ok: [data(Payout)],
    refusals: [
      ...requestRefusals,
      refusals.badRequest(refusals.EXPECTED_TOTALS_INVALID),
      ...recordingRefusals,
      refusals.dueHasChanged(),
    ],
  }),
  'dashboard/payout/continue': operation(ownersOnly(family), {
    id: 'continuePayout',
    summary: 'Go on with an open payout',
    description: 'For owners. It works for at most 10 seconds. One that is made is answered unchanged.',
    parameters: [programId, payoutId],
    body: z.optional(z.object({})),
    ok: [data(Payout)],
    refusals: [refusals.payoutNotFound(), ...bodyRefusals, ...recordingRefusals],
  }),
  'dashboard/payout/patch': operation(ownersOnly(family), {
    id: 'referToPayout',
    summary: 'Set the reference of a payout',
    description: 'For owners. The reference is, for instance, the number of the bank transfer.',
    parameters: [programId, payoutId],
    body: z.extend(PayoutReference, { seen }),
    ok: [data(Payout)],
    refusals: [
      refusals.payoutNotFound(),
      ...bodyRefusals,
      refusals.badRequest(refusals.PAYOUT_REFERENCE_INVALID),
      ...seenRefusals,
    ],
  }),
} satisfies Readonly<Record<string, Operation>>;
