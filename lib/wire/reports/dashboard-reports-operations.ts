import * as z from 'zod/mini';
import { commissionStatuses } from '#lib/service/earnings/commissions/commission.ts';
import { customerStatuses } from '#lib/service/traffic/customers/customer.ts';
import { MOST_RESULTS } from '#lib/service/reports/stories/search.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { clickId, currency, day, id, text } from '#lib/wire/words/fields.ts';
import { headersOf, type Operation, operation } from '#lib/wire/document/operation.ts';
import {
  byteOrderMark,
  chosen,
  flag,
  inPath,
  inPathOrQuery,
  inQuery,
  page,
  programId,
  range,
} from '#lib/wire/words/parameters.ts';
import { Commission, DecidedCommission } from '#lib/wire/earnings/commission.ts';
import { eventTypes, TrackedEvent } from '#lib/wire/reports/event.ts';
import { Customer, UnlinkedCustomer } from '#lib/wire/traffic/customer.ts';
import { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';
import { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';
import { Performance } from '#lib/wire/reports/performance.ts';
import { CommissionIds, RejectedCommissionIds } from '#lib/wire/earnings/commission-ids-request.ts';
import { OwnersCorrection, ownersCorrectionTexts } from '#lib/wire/conversions/refund-request.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';
import {
  ofProgram,
  ownersOnly,
  pageRefusals,
  periodRefusals,
  rangeRefusals,
} from '#lib/wire/document/dashboard-operations.ts';
import { OwnersRefund } from '#lib/wire/conversions/refund.ts';
import { RulesPreview } from '#lib/wire/programs/rules-preview.ts';
import { SearchResult } from '#lib/wire/reports/search.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';

const family = ofProgram('reports and payouts');
const commissionId = inPath('commission_id', 'The commission.');
const filters = [
  chosen('status', 'Only those, as they read now.', commissionStatuses),
  inQuery('partner_id', 'Only those of this partner.', id),
  inQuery('currency', "Only those in this one of the installation's currencies.", currency),
  flag('flagged', 'Only those that a rule of the program has fitted, held ones among them.'),
  inQuery('from', 'First day, in UTC, on which they were recorded; the sale may have been paid earlier.', day),
  inQuery('to', 'Last day, in UTC, on which they were recorded.', day),
];
const { 'Cache-Control': _cached, ...redirectHeaders } = { ...headersOf(family, 302), Location: 'always' as const };
const filterRefusals = [
  refusals.notOneOf('status', ANY_TEXT, commissionStatuses),
  refusals.notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
  ...rangeRefusals,
];
const idsRefusal = refusals.badRequest(refusals.COMMISSION_IDS_INVALID);
const decidedEach = data(z.array(DecidedCommission));
const decided = (to: string, ...from: readonly string[]) =>
  from.map((status) => refusals.commissionStatusRefused(to, status));

const UP_TO_LIMIT = 'Above `member_approval_cents` of the program only owners do this.';
const EACH_ON_ITS_OWN =
  'Each on its own, in the order of the request: 200 whatever becomes of them, and `error` says why one was not ' +
  'decided. After a failure send those again: nothing is decided twice.';

export const reportRoutes = {
  'dashboard/events/get': operation(family, {
    id: 'listEvents',
    summary: 'The tracking log',
    description:
      'Newest first. Of a partner or a link a page may be short, or empty, before the last one: a limited number of ' +
      'events is looked through for each.',
    parameters: [
      programId,
      chosen('type', 'Only those.', eventTypes),
      ...range,
      flag('include_test', 'With test events.'),
      inQuery('partner_id', 'Only those that are credited to this partner.', id),
      inQuery('short_link', 'Only clicks of this link, and what became of customers who first came through it.'),
      ...page,
    ],
    ok: [listOf(TrackedEvent)],
    refusals: [...pageRefusals, ...rangeRefusals, refusals.notOneOf('type', ANY_TEXT, eventTypes)],
  }),
  'dashboard/performance/get': operation(family, {
    id: 'getPerformance',
    summary: 'Performance by day',
    description: 'The last 30 days unless said otherwise; at most 366.',
    parameters: [programId, ...range],
    ok: [data(Performance)],
    refusals: periodRefusals,
  }),
  'dashboard/rules/get': operation(family, {
    id: 'previewRules',
    summary: 'What the rules would have done',
    description:
      'Each rule is tried on the commissions of sales and leads of the last 30 days, the newest 1,000 at most, whatever ' +
      'its action is. It changes nothing. `velocity` finds what was noted when it happened: bursts of clicks always, ' +
      'signups from one address while the rule was not `off`.',
    parameters: [programId],
    ok: [data(RulesPreview)],
  }),
  'dashboard/partner/performance': operation(family, {
    id: 'getPartnerPerformance',
    summary: 'Performance of a partner by day',
    description:
      'What came through the links of this partner in this program. The last 30 days unless said otherwise; at most 366.',
    parameters: [programId, inPath('partner_id', 'The partner.'), ...range],
    ok: [data(Performance)],
    refusals: [refusals.partnerNotFound(), ...periodRefusals],
  }),
  'dashboard/link/performance': operation(family, {
    id: 'getLinkPerformance',
    summary: 'Performance of a referral link by day',
    description: 'The last 30 days unless said otherwise; at most 366.',
    parameters: [programId, inPath('short_link', 'The link.', text), ...range],
    ok: [data(Performance)],
    refusals: [refusals.shortLinkNotFound(), ...periodRefusals],
  }),
  'dashboard/sale/get': operation(family, {
    id: (_, path) => (path.endsWith('}') ? 'explainSale' : 'explainSaleByQuery'),
    summary: 'Why this partner got this sale',
    description: 'An id that a path cannot carry (one with `?`, `%`, `//` or segments of dots) goes in the query.',
    parameters: [programId, ...inPathOrQuery('transaction_id', 'Of the sale.')],
    ok: [data(ExplainedSale)],
    refusals: [refusals.saleNotFound()],
  }),
  'dashboard/sale/refund': operation(ownersOnly(family), {
    id: (_, path) => (path.includes('}/refund') ? 'correctRefund' : 'correctRefundByQuery'),
    summary: 'Correct what was refunded of a sale',
    description:
      'For owners. The amount becomes the total of what refund calls have told; a lower one gives the commission back, and one that was paid is due again. What the processor reported stays. An id that a path cannot carry goes in the query.',
    parameters: [programId, ...inPathOrQuery('transaction_id', 'Of the sale.')],
    body: OwnersCorrection,
    ok: [data(OwnersRefund)],
    refusals: [
      refusals.saleNotFound(),
      ...bodyRefusals,
      ...ownersCorrectionTexts.map(refusals.badRequest),
      refusals.refundAboveSale(ANY_NUMBER),
    ],
  }),
  'dashboard/search/get': operation(family, {
    id: 'search',
    summary: 'Find a sale, customer, partner or link',
    description:
      'At most 50. First what has exactly this transaction id, click id, customer key, short link or e-mail address, ' +
      'of a partner or of a customer with a settled lead; then partners whose name begins with it, in any case. ' +
      'Nothing for a blank text or one of more than 255 characters.',
    parameters: [programId, inQuery('q', 'What to look for. White space around it does not count.')],
    ok: [data(z.array(SearchResult).check(z.maxLength(MOST_RESULTS)))],
  }),
  'dashboard/commissions/get': operation(family, {
    id: 'listCommissions',
    summary: 'List the commissions',
    description: 'Newest first.',
    parameters: [programId, ...page, ...filters],
    ok: [listOf(Commission)],
    refusals: [...pageRefusals, ...filterRefusals],
  }),
  'dashboard/commissions/export': operation(family, {
    id: 'exportCommissions',
    summary: 'All commissions as a file',
    description:
      'UTF-8, CRLF, quoted by RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe.',
    parameters: [programId, ...filters, byteOrderMark, inQuery('cursor', 'Of the redirect; never made up.')],
    others: {
      200: {
        description: 'A line for each commission.',
        contentType: 'text/csv',
        body: z.string(),
        headers: { ...headersOf(family, 200), 'Content-Disposition': 'always' },
      },
      302: {
        description:
          'The file is too large for one answer. Follow it, with the token: it leads to the file, which can be had for ' +
          'half an hour, or to the next part of the work.',
        headers: redirectHeaders,
      },
    },
    refusals: [...filterRefusals, refusals.cursorInvalid()],
  }),
  'dashboard/commissions/approve': operation(family, {
    id: 'approveCommissions',
    summary: 'Approve several commissions',
    description: EACH_ON_ITS_OWN,
    parameters: [programId],
    body: CommissionIds,
    ok: [decidedEach],
    refusals: [...bodyRefusals, idsRefusal],
  }),
  'dashboard/commissions/reject': operation(family, {
    id: 'rejectCommissions',
    summary: 'Reject several pending commissions',
    description: EACH_ON_ITS_OWN,
    parameters: [programId],
    body: RejectedCommissionIds,
    ok: [decidedEach],
    refusals: [...bodyRefusals, idsRefusal, refusals.reasonMissing()],
  }),
  'dashboard/commissions/release': operation(family, {
    id: 'releaseCommissions',
    summary: 'Release several held commissions',
    description: EACH_ON_ITS_OWN,
    parameters: [programId],
    body: CommissionIds,
    ok: [decidedEach],
    refusals: [...bodyRefusals, idsRefusal],
  }),
  'dashboard/commission/release': operation(family, {
    id: 'releaseCommission',
    summary: 'Release a held commission',
    description:
      'It becomes pending, and counts on the day of its payment. Its hold goes on from its creation. The rules that ' +
      `have fitted it hold its customer no more. ${UP_TO_LIMIT}`,
    parameters: [programId, commissionId],
    ok: [data(Commission)],
    refusals: [
      refusals.commissionNotFound(),
      refusals.ownerOnly(),
      ...decided('pending', 'pending', 'approved', 'paid', 'rejected', 'reversed'),
    ],
  }),
  'dashboard/commission/approve': operation(family, {
    id: 'approveCommission',
    summary: 'Approve a commission',
    description: `Also before its hold is over. One that is approved stays as it is. ${UP_TO_LIMIT}`,
    parameters: [programId, commissionId],
    ok: [data(Commission)],
    refusals: [
      refusals.commissionNotFound(),
      refusals.ownerOnly(),
      ...decided('approved', 'held', 'paid', 'rejected', 'reversed'),
    ],
  }),
  'dashboard/commission/reject': operation(family, {
    id: 'rejectCommission',
    summary: 'Reject a pending commission',
    parameters: [programId, commissionId],
    body: Reason,
    ok: [data(Commission)],
    refusals: [
      refusals.commissionNotFound(),
      ...bodyRefusals,
      refusals.reasonMissing(),
      ...decided('rejected', 'approved', 'paid', 'rejected', 'reversed'),
    ],
  }),
  'dashboard/customers/get': operation(family, {
    id: 'listCustomers',
    summary: 'List the customers',
    description:
      'From their lead on, or from their first sale where there is no lead; newest first. Also without a filter a page ' +
      'may be short, or empty, before the last one.',
    parameters: [
      programId,
      ...page,
      chosen('status', 'Only those.', customerStatuses),
      inQuery('partner_id', 'Only those of this partner.', id),
    ],
    ok: [listOf(Customer)],
    refusals: [...pageRefusals, refusals.notOneOf('status', ANY_TEXT, customerStatuses)],
  }),
  'dashboard/customer/get': operation(family, {
    id: 'getCustomer',
    summary: 'A customer',
    description:
      'Its lead, the oldest 50 of its clicks, and the newest 50 of its sales with their commissions as they read now and ' +
      'the newest 20 refunds of each. Its amounts are those of all of its sales; older sales are among the events.',
    parameters: [programId, inPath('click_id', 'The customer.', clickId)],
    ok: [data(CustomerHistory)],
    refusals: [refusals.customerNotFound()],
  }),
  'dashboard/customer/unlink': operation(ownersOnly(family), {
    id: 'unlinkCustomer',
    summary: 'Let nothing new mean a customer',
    description:
      'For owners. Later sales, leads and payments of this customer find nobody until the person comes through a link again; its customer key is free for the customer of that click. Recorded sales and commissions stay. Repeated, the first reason stays.',
    parameters: [programId, inPath('click_id', 'The customer.', clickId)],
    body: Reason,
    ok: [data(UnlinkedCustomer)],
    refusals: [refusals.customerNotFound(), ...bodyRefusals, refusals.reasonMissing()],
  }),
} satisfies Readonly<Record<string, Operation>>;
