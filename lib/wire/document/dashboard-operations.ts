import { comparisons, MOST_SORTED, sortings } from '#lib/service/reports/figures/ranking.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { ANY_TEXT } from '#lib/wire/document/error-bodies.ts';
import { type DocumentedReply, type Family, headersOf } from '#lib/wire/document/operation.ts';
import { inQuery } from '#lib/wire/words/parameters.ts';

// The families of routes, by who may call them. Each has the refusals that are checked before everything else.

const signIn = [
  ...Object.values(refusals.dashboardLoginTexts).map(refusals.unauthorized),
  // How a terminal's token is refused by the routes that do not accept it.
  refusals.signInOnPage(),
];

/** Routes without a credential. */
export const open: Family = {
  tag: 'Dashboard: people',
  security: ['anonymous'],
  errors: { namesRequest: true },
  refusals: [],
  failure: 'Request failed',
  isCounted: true,
};

export const account: Family = { ...open, security: ['loginToken'], refusals: signIn };

/** Routes for a member of a workspace. */
export const workspace: Family = {
  ...account,

  refusals: [...signIn, refusals.noWorkspace()],
};

/** Routes for a member of the workspace that owns the program in the path. */
export const ofProgram = (tag: string): Family => ({
  ...workspace,

  tag: `Dashboard: ${tag}`,
  refusals: [...workspace.refusals, refusals.programNotFound()],
});

/** Restricts a family to owners. */
export const ownersOnly = (family: Family): Family => ({
  ...family,
  refusals: [...family.refusals, refusals.ownerOnly()],
});

/** The same family with a recent sign-in required. */
export const recentSignIn = (family: Family): Family => ({
  ...family,
  refusals: [...family.refusals, refusals.signInAgain()],
});

/** The query parameter with which the next request continues an export. */
export const exportCursor = inQuery('cursor', 'The value from the redirect. Do not construct it.');

/** The replies of a route that exports a file of any size. */
export function fileReplies(
  family: Family,
  file: Pick<DocumentedReply, 'description' | 'contentType' | 'body'>,
): Readonly<Record<number, DocumentedReply>> {
  const { 'Cache-Control': _cached, ...redirectHeaders } = { ...headersOf(family, 302), Location: 'always' as const };
  return {
    200: { ...file, headers: { ...headersOf(family, 200), 'Content-Disposition': 'always' } },
    302: {
      description:
        'The file is too large for one reply. Follow the redirect with the login token. It leads to the file, which exists for half an hour, or to the next part.',
      headers: redirectHeaders,
    },
  };
}

export const pageRefusals = [refusals.limitInvalid(), refusals.cursorInvalid()];
export const rangeRefusals = [refusals.dateInvalid('from'), refusals.dateInvalid('to'), refusals.rangeReversed()];
export const periodRefusals = [...rangeRefusals, refusals.rangeTooLong(366)];
/** Refusals of lists whose rows show figures. */
export const figuresRefusals = [
  ...periodRefusals,
  refusals.notOneOf('sort', ANY_TEXT, sortings),
  refusals.notOneOf('currency', ANY_TEXT, [ANY_TEXT]),
  refusals.notOneOf('compare', ANY_TEXT, comparisons),
  refusals.compareIncomplete(),
];
export const figuresPeriodText =
  'Figures cover all time. With `from` or `to` they cover that period, of at most 366 days.';
export const figuresText = `${figuresPeriodText} When the list is sorted by a figure, only its ${MOST_SORTED} oldest rows are listed; \`meta.sorted_of\` is the number of all rows. A row whose figure changes between two requests may appear on two pages or on none.`;
