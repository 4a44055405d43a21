import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ofProgram, ownersOnly } from '#lib/wire/document/dashboard-operations.ts';
import { headersOf, type Operation, operation } from '#lib/wire/document/operation.ts';
import { partner, viewedAs } from '#lib/wire/partners/portal-operations.ts';
import { Statement } from '#lib/wire/reports/statement.ts';
import { byteOrderMark, inPath, inQuery, programId } from '#lib/wire/words/parameters.ts';
import { data } from '#lib/wire/words/wrapped.ts';
import * as z from 'zod/mini';

const owner = ownersOnly(ofProgram('reports and payouts'));
const { 'Cache-Control': _cached, ...redirectHeaders } = { ...headersOf(partner, 302), Location: 'always' as const };

const parameters = [
  programId,
  inPath('number', 'The number of the line, such as `9-5-USD`. With `.csv` after it: all items as a file.', z.string()),
  byteOrderMark,
  inQuery('cursor', 'The value from the redirect. Do not construct it.'),
];
const others = {
  200: {
    description: 'The statement, or its file.',
    contentType: 'application/json',
    fileTypes: ['text/csv'],
    body: data(Statement),
    headers: { ...headersOf(partner, 200), 'Content-Disposition': 'sometimes' as const },
  },
  302: { description: 'The file is too large for one answer. Follow it, with the token.', headers: redirectHeaders },
};

export const statementRoutes = {
  'dashboard/statement/get': operation(owner, {
    id: 'getStatement',
    summary: 'Read the statement of a payout line',
    description: 'For owners. A terminal cannot read it, because it holds addresses and tax ids.',
    parameters,
    others,
    refusals: [refusals.statementNotFound(), refusals.cursorInvalid()],
  }),
  'partner/statement/get': operation(partner, {
    id: 'getOwnStatement',
    summary: 'Read the statement of a payout line',
    parameters: [...parameters, viewedAs],
    others,
    refusals: [refusals.statementNotFound(), refusals.cursorInvalid()],
  }),
} satisfies Readonly<Record<string, Operation>>;
