import * as z from 'zod/mini';
import { partnersCommissionStatuses } from '#lib/service/earnings/commissions/commission-lifecycle.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { Code } from '#lib/wire/programs/codes/code.ts';
import { ANY_TEXT } from '#lib/wire/document/error-bodies.ts';
import { headersOf, type Operation, operation } from '#lib/wire/document/operation.ts';
import { pageRefusals, periodRefusals } from '#lib/wire/document/dashboard-operations.ts';
import { partner, viewedAs } from '#lib/wire/partners/portal-operations.ts';
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
import { id } from '#lib/wire/words/fields.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';

const { 'Cache-Control': _cached, ...redirectHeaders } = { ...headersOf(partner, 302), Location: 'always' as const };

export const portalFigureRoutes = {
  'partner/performance/get': operation(partner, {
    id: 'getOwnPerformance',
    summary: 'What a partner brought in, by day',
    description: 'The last 30 days unless said otherwise; at most 366.',
    parameters: [programId, ...range, viewedAs],
    ok: [data(PortalPerformance)],
    refusals: periodRefusals,
  }),
  'partner/balance/get': operation(partner, {
    id: 'getOwnBalance',
    summary: 'What a partner has earned, and when more of it becomes due',
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
    description: 'From their lead on, or from their first sale where there is no lead; newest first.',
    parameters: [programId, ...page, viewedAs],
    ok: [listOf(PortalCustomer)],
    refusals: pageRefusals,
  }),
  'partner/commissions/get': operation(partner, {
    id: 'listOwnCommissions',
    summary: "List a partner's commissions",
    description: 'Newest first. With `payout_id` those that the payout paid or adjusted, highest ids first.',
    parameters: [
      programId,
      ...page,
      chosen('status', 'Only those, as they read now.', partnersCommissionStatuses),
      inQuery('payout_id', 'Only those of this payout, each with what it paid.', id),
      viewedAs,
    ],
    ok: [listOf(PortalCommission), listOf(PaidCommission)],
    refusals: [...pageRefusals, refusals.notOneOf('status', ANY_TEXT, partnersCommissionStatuses)],
  }),
  'partner/commissions/export': operation(partner, {
    id: 'exportOwnCommissions',
    summary: "All of a partner's commissions as a file",
    description:
      'The columns of the list, in its order. UTF-8, CRLF, quoted by RFC 4180. A cell that a spreadsheet would take for a ' +
      'formula begins with an apostrophe.',
    parameters: [programId, byteOrderMark, inQuery('cursor', 'Of the redirect; never made up.'), viewedAs],
    others: {
      200: {
        description: 'A line for each commission.',
        contentType: 'text/csv',
        body: z.string(),
        headers: { ...headersOf(partner, 200), 'Content-Disposition': 'always' },
      },
      302: {
        description:
          'The file is too large for one answer. Follow it, with the token: it leads to the file, which can be had for ' +
          'half an hour, or to the next part of the work.',
        headers: redirectHeaders,
      },
    },
    refusals: [refusals.cursorInvalid()],
  }),
  'partner/commission/get': operation(partner, {
    id: 'explainOwnCommission',
    summary: 'Why a partner has a commission',
    parameters: [programId, inPath('commission_id', 'The commission.'), viewedAs],
    ok: [data(ExplainedCommission)],
    refusals: [refusals.commissionNotFound()],
  }),
  'partner/payouts/get': operation(partner, {
    id: 'listOwnPayouts',
    summary: 'List what payouts paid to a partner',
    description: 'Newest first; a row for each currency. A page with very many commissions is shorter than asked for.',
    parameters: [programId, ...page, inQuery('payout_id', 'Only what this payout paid.', id), viewedAs],
    ok: [listOf(PortalPayout)],
    refusals: pageRefusals,
  }),
} satisfies Readonly<Record<string, Operation>>;
