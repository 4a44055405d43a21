import * as z from 'zod/mini';
import { partnersCommissionStatuses } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { Code } from '#lib/wire/programs/codes/code.ts';
import { ANY_TEXT } from '#lib/wire/document/error-bodies.ts';
import { headersOf, type Operation, operation } from '#lib/wire/document/operation.ts';
import { pageRefusals, periodRefusals } from '#lib/wire/document/dashboard-operations.ts';
import { partner, person, viewedAs } from '#lib/wire/partners/portal-operations.ts';
import { byteOrderMark, chosen, inPath, inQuery, page, programId, range } from '#lib/wire/words/parameters.ts';
import {
  ExplainedCommission,
  PaidCommission,
  PortalBalances,
  PortalCommission,
  PortalCustomer,
  PortalPayout,
  PortalPerformance,
} from '#lib/wire/reports/portal-figures.ts';
import { PortalOverview } from '#lib/wire/reports/portal-overview.ts';
import { id, text } from '#lib/wire/words/fields.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';

const { 'Cache-Control': _cached, ...redirectHeaders } = { ...headersOf(partner, 302), Location: 'always' as const };

export const portalFigureRoutes = {
  'partner/overview/get': operation(person, {
    id: 'getOwnOverview',
    summary: 'Read the figures of all programs of the account',
    description: 'Clicks, sales and earned amounts are those of this month, the other amounts are of now.',
    ok: [data(PortalOverview)],
  }),
  'partner/performance/get': operation(partner, {
    id: 'getOwnPerformance',
    summary: "Read a partner's performance by day",
    description: 'Default: the last 30 days. At most 366 days.',
    parameters: [programId, ...range, viewedAs],
    ok: [data(PortalPerformance)],
    refusals: periodRefusals,
  }),
  'partner/balance/get': operation(partner, {
    id: 'getOwnBalance',
    summary: 'Read what a partner has earned, and when more becomes due',
    parameters: [programId, viewedAs],
    ok: [data(PortalBalances)],
  }),
  'partner/codes/get': operation(partner, {
    id: 'listOwnCodes',
    summary: "List a partner's coupon codes",
    description: 'Oldest first.',
    parameters: [programId, ...page, viewedAs],
    ok: [listOf(Code)],
    refusals: pageRefusals,
  }),
  'partner/customers/get': operation(partner, {
    id: 'listOwnCustomers',
    summary: "List a partner's customers",
    description: 'Newest first. A customer is listed from the lead on, or from the first sale if there is no lead.',
    parameters: [
      programId,
      ...page,
      inQuery('short_link', 'Only customers whom this link of the partner brought.', text),
      viewedAs,
    ],
    ok: [listOf(PortalCustomer)],
    refusals: pageRefusals,
  }),
  'partner/commissions/get': operation(partner, {
    id: 'listOwnCommissions',
    summary: "List a partner's commissions",
    description: 'Newest first. With `payout_id`: the commissions that the payout paid or adjusted, highest ids first.',
    parameters: [
      programId,
      ...page,
      chosen('status', 'Only commissions with this present status.', partnersCommissionStatuses),
      inQuery('payout_id', 'Only the commissions of this payout, each with the amount that it paid.', id),
      viewedAs,
    ],
    ok: [listOf(PortalCommission), listOf(PaidCommission)],
    refusals: [...pageRefusals, refusals.notOneOf('status', ANY_TEXT, partnersCommissionStatuses)],
  }),
  'partner/commissions/export': operation(partner, {
    id: 'exportOwnCommissions',
    summary: "Export all of a partner's commissions as a CSV file",
    description:
      'The columns of the list, in the same order. UTF-8, CRLF, quoted by RFC 4180. A cell that a spreadsheet would read as a formula begins with an apostrophe.',
    parameters: [
      programId,
      byteOrderMark,
      inQuery('cursor', 'The value from the redirect. Do not construct it.'),
      viewedAs,
    ],
    others: {
      200: {
        description: 'A CSV file with a row for each commission.',
        contentType: 'text/csv',
        body: z.string(),
        headers: { ...headersOf(partner, 200), 'Content-Disposition': 'always' },
      },
      302: {
        description:
          'The file is too large for one reply. Follow the redirect with the login token. It leads to the file, which exists for half an hour, or to the next part.',
        headers: redirectHeaders,
      },
    },
    refusals: [refusals.cursorInvalid()],
  }),
  'partner/commission/get': operation(partner, {
    id: 'explainOwnCommission',
    summary: "Explain a partner's commission",
    parameters: [programId, inPath('commission_id', 'The commission.'), viewedAs],
    ok: [data(ExplainedCommission)],
    refusals: [refusals.commissionNotFound()],
  }),
  'partner/payouts/get': operation(partner, {
    id: 'listOwnPayouts',
    summary: 'List the payouts of a partner',
    description:
      'Newest first, with a row for each currency. A page with very many commissions has fewer rows than requested.',
    parameters: [programId, ...page, inQuery('payout_id', 'Only the rows of this payout.', id), viewedAs],
    ok: [listOf(PortalPayout)],
    refusals: pageRefusals,
  }),
} satisfies Readonly<Record<string, Operation>>;
