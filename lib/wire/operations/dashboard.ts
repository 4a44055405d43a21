import * as refusals from '#lib/domain/refusals.ts';
import type { Family } from '#lib/wire/openapi/operation.ts';

// The audience of a route decides what it refuses before it reads anything else.

const signIn = Object.values(refusals.dashboardLoginTexts).map(refusals.unauthorized);

/** No credential. */
export const open: Family = {
  name: 'Dashboard',
  tag: 'Dashboard: people',
  security: ['nobody'],
  errors: { namesRequest: true },
  refusals: [],
  failure: 'Request failed',
  isCounted: true,
};

/** A signed-in account. */
export const account: Family = { ...open, name: 'DashboardAccount', security: ['loginToken'], refusals: signIn };

/** A member of a workspace. */
export const workspace: Family = {
  ...account,
  name: 'DashboardWorkspace',
  refusals: [...signIn, refusals.noWorkspace()],
};

/** A member of the workspace that the program of the path belongs to. */
export const ofProgram = (tag: string): Family => ({
  ...workspace,
  name: 'DashboardProgram',
  tag: `Dashboard: ${tag}`,
  refusals: [...workspace.refusals, refusals.programNotFound()],
});

/** Only its owners. */
export const ownersOnly = (family: Family): Family => ({
  ...family,
  name: `${family.name}Owner`,
  refusals: [...family.refusals, refusals.ownerOnly()],
});

export const pageRefusals = [refusals.limitInvalid(), refusals.cursorInvalid()];
export const rangeRefusals = [refusals.dateInvalid('from'), refusals.dateInvalid('to'), refusals.rangeReversed()];
