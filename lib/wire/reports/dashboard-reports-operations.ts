import * as z from 'zod/mini';
import { commissionStatuses } from '#lib/service/earnings/commissions/commission.ts';
import { MOST_RESULTS } from '#lib/service/reports/stories/search.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ANY_NUMBER, ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { currency, day, id, text } from '#lib/wire/words/fields.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
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
import { ExplainedSale } from '#lib/wire/conversions/explained-sale.ts';
import { Performance } from '#lib/wire/reports/performance.ts';
import { CommissionIds, CommissionIdsWithReason } from '#lib/wire/earnings/commission-ids-request.ts';
import { OwnersCorrection, ownersCorrectionTexts } from '#lib/wire/conversions/refund-request.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';
import {
  exportCursor,
  fileReplies,
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
  chosen('status', 'Only commissions with this present status.', commissionStatuses),
  inQuery('partner_id', 'Only those of this partner.', id),
  inQuery('currency', "Only those in this currency, one of the installation's.", currency),
  flag('flagged', 'Only commissions that a fraud rule matched, including held ones.'),
  inQuery('from', 'The first day, in UTC, on which they were recorded. A sale may have been paid earlier.', day),
  inQuery('to', 'The last day, in UTC, on which they were recorded.', day),
];
const filterRefusals = [
  refusals.notOneOf('status', ANY_TEXT, commissionStatuses),
  refusals.notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
  ...rangeRefusals,
];
const idsRefusals = [refusals.COMMISSION_IDS_INVALID, refusals.BATCH_INVALID].map(refusals.badRequest);
const decidedEach = data(z.array(DecidedCommission));
const decided = (to: string, ...from: readonly string[]) =>
  from.map((status) => refusals.commissionStatusRefused(to, status));

const UP_TO_LIMIT = "Above the program's `member_approval_cents`, only owners may do this.";
const EACH_ON_ITS_OWN =
  'Each commission is decided separately, in the order of the request. The reply is always 200; `error` says why a commission was not decided. Send it again after a failure: none is decided twice.';

export const reportRoutes = {
  'dashboard/events/get': operation(family, {
    id: 'listEvents',
    summary: 'List the events of the tracking log',
    description:
      'Newest first. With the filter of a partner or link, a page may be short or empty even if it is not the last, because a request reads a limited number of events.',
    parameters: [
      programId,
      chosen('type', 'Only events of this type.', eventTypes),
      ...range,
      flag('include_test', 'Includes test events.'),
      inQuery('partner_id', 'Only events that are credited to this partner.', id),
      inQuery('short_link', 'Only clicks on this link, and events of customers who first came through it.'),
      ...page,
    ],
    ok: [listOf(TrackedEvent)],
    refusals: [...pageRefusals, ...rangeRefusals, refusals.notOneOf('type', ANY_TEXT, eventTypes)],
  }),
  'dashboard/performance/get': operation(family, {
    id: 'getPerformance',
    summary: 'Read the performance by day',
    description: 'Default: the last 30 days. At most 366 days.',
    parameters: [programId, ...range],
    ok: [data(Performance)],
    refusals: periodRefusals,
  }),
  'dashboard/rules/get': operation(family, {
    id: 'previewRules',
    summary: 'Preview the effect of the fraud rules',
    description:
      'Checks each rule, whatever its action is, against the commissions of sales and leads of the last 30 days (at most the newest 1,000). It changes nothing. `velocity` uses what was recorded at the time: bursts of clicks always, bursts of signups from one address only while the rule was not `off`.',
    parameters: [programId],
    ok: [data(RulesPreview)],
  }),
  'dashboard/partner/performance': operation(family, {
    id: 'getPartnerPerformance',
    summary: 'Read the performance of a partner by day',
    description: "What came through this partner's links in this program. Default: the last 30 days. At most 366 days.",
    parameters: [programId, inPath('partner_id', 'The partner.'), ...range],
    ok: [data(Performance)],
    refusals: [refusals.partnerNotFound(), ...periodRefusals],
  }),
  'dashboard/link/performance': operation(family, {
    id: 'getLinkPerformance',
    summary: 'Read the performance of a referral link by day',
    description: 'Default: the last 30 days. At most 366 days.',
    parameters: [programId, inPath('short_link', 'The link.', text), ...range],
    ok: [data(Performance)],
    refusals: [refusals.shortLinkNotFound(), ...periodRefusals],
  }),
  'dashboard/sale/get': operation(family, {
    id: (_, path) => (path.endsWith('}') ? 'explainSale' : 'explainSaleByQuery'),
    summary: 'Explain the attribution of a sale',
    description:
      'Send an id in the query if it cannot be part of a path (if it contains `?`, `%`, `//` or segments of dots).',
    parameters: [programId, ...inPathOrQuery('transaction_id', 'The transaction id of the sale.')],
    ok: [data(ExplainedSale)],
    refusals: [refusals.saleNotFound()],
  }),
  'dashboard/sale/refund': operation(ownersOnly(family), {
    id: (_, path) => (path.includes('}/refund') ? 'correctRefund' : 'correctRefundByQuery'),
    summary: 'Correct the refunded amount of a sale',
    description:
      'For owners. The amount replaces the total of all refund calls. A lower amount gives commission back, and a commission that was paid becomes due again. Refunds reported by the processor stay. Send an id in the query if it cannot be part of a path.',
    parameters: [programId, ...inPathOrQuery('transaction_id', 'The transaction id of the sale.')],
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
      'At most 50 results. First, exact matches of a transaction id, click id, customer key, short link, code or e-mail address (of a partner, or of a customer with a settled lead). Then partners, links and codes: each word of the text is the beginning of a word of the name or address, without regard to case and accents. Then sales whose transaction id, and customers whose key, contains the text of at least 4 characters, among the newest 1,000 of each. Each kind is newest first; removed partners come last. No results for a blank text or one of more than 255 characters.',
    parameters: [programId, inQuery('q', 'The text to find. White space around it is ignored.')],
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
    summary: 'Export all commissions as a CSV file',
    description:
      'UTF-8, CRLF, quoted by RFC 4180. A cell that a spreadsheet would read as a formula begins with an apostrophe.',
    parameters: [programId, ...filters, byteOrderMark, exportCursor],
    others: fileReplies(family, {
      description: 'A CSV file with a row for each commission.',
      contentType: 'text/csv',
      body: z.string(),
    }),
    refusals: [...filterRefusals, refusals.cursorInvalid()],
  }),
  'dashboard/commissions/approve': operation(family, {
    id: 'approveCommissions',
    summary: 'Approve several commissions',
    description: EACH_ON_ITS_OWN,
    parameters: [programId],
    body: CommissionIds,
    ok: [decidedEach],
    refusals: [...bodyRefusals, ...idsRefusals],
  }),
  'dashboard/commissions/reject': operation(family, {
    id: 'rejectCommissions',
    summary: 'Reject several pending commissions',
    description: EACH_ON_ITS_OWN,
    parameters: [programId],
    body: CommissionIdsWithReason,
    ok: [decidedEach],
    refusals: [...bodyRefusals, ...idsRefusals, refusals.reasonMissing()],
  }),
  'dashboard/commissions/reopen': operation(family, {
    id: 'reopenCommissions',
    summary: 'Reopen several approved or rejected commissions',
    description: EACH_ON_ITS_OWN,
    parameters: [programId],
    body: CommissionIdsWithReason,
    ok: [decidedEach],
    refusals: [...bodyRefusals, ...idsRefusals, refusals.reasonMissing()],
  }),
  'dashboard/commission/reopen': operation(family, {
    id: 'reopenCommission',
    summary: 'Take back an approval or a rejection',
    description:
      'Until it is paid, also an approval at the end of its hold. It becomes pending, and from then on only a person ' +
      'approves it (`by_hand`). One that was rejected while a rule held it is held again. Refunds since its rejection ' +
      `are deducted now. One that is reopened already stays as it is. ${UP_TO_LIMIT}`,
    parameters: [programId, commissionId],
    body: Reason,
    ok: [data(Commission)],
    refusals: [
      refusals.commissionNotFound(),
      ...bodyRefusals,
      refusals.reasonMissing(),
      refusals.ownerOnly(),
      ...decided('pending', 'held', 'pending', 'paid', 'reversed'),
      refusals.saleFullyRefunded(),
    ],
  }),
  'dashboard/commissions/release': operation(family, {
    id: 'releaseCommissions',
    summary: 'Release several held commissions',
    description: EACH_ON_ITS_OWN,
    parameters: [programId],
    body: CommissionIds,
    ok: [decidedEach],
    refusals: [...bodyRefusals, ...idsRefusals],
  }),
  'dashboard/commission/release': operation(family, {
    id: 'releaseCommission',
    summary: 'Release a held commission',
    description: `The commission becomes pending and counts on the day of its payment. Its hold period still starts at its creation. The rules that matched it no longer hold commissions of this customer. ${UP_TO_LIMIT}`,
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
    description: `Possible before the hold period ends. An approved commission does not change. ${UP_TO_LIMIT}`,
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
    description: 'It can be reopened. Above `member_approval_cents` of the program only owners reject a deduction.',
    parameters: [programId, commissionId],
    body: Reason,
    ok: [data(Commission)],
    refusals: [
      refusals.commissionNotFound(),
      ...bodyRefusals,
      refusals.reasonMissing(),
      refusals.ownerOnly(),
      ...decided('rejected', 'approved', 'paid', 'rejected', 'reversed'),
    ],
  }),
} satisfies Readonly<Record<string, Operation>>;
