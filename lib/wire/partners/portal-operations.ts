import * as refusals from '#lib/service/ground/values/refusals.ts';
import { text } from '#lib/wire/words/fields.ts';
import { account, open } from '#lib/wire/document/dashboard-operations.ts';
import type { Family, Parameter } from '#lib/wire/document/operation.ts';
import { inQuery } from '#lib/wire/words/parameters.ts';

// Who may call a route of the partner portal, and what it refuses before it reads anything else.

const tag = 'Partner portal';

/** No credential. */
export const visitor: Family = { ...open, tag };

/** A signed-in account. */
export const person: Family = { ...account, tag };

/** A partner of the program of the path with any status but rejected. */
export const partner: Family = {
  ...person,

  refusals: [...person.refusals, refusals.programNotFound()],
};

/** A change of the account's own. */
export const personChange: Family = {
  ...person,

  refusals: [...person.refusals, refusals.viewIsReadOnly()],
};

/** A step of a partner with any status. */
export const partnerStep: Family = {
  ...partner,

  refusals: [...partner.refusals, refusals.viewIsReadOnly()],
};

/** A change by an active partner who has accepted the terms. */
export const partnerChange: Family = {
  ...partnerStep,

  refusals: [...partnerStep.refusals, refusals.partnerHasLeft(), refusals.notYetPartner(), refusals.termsNotAccepted()],
};

/** Of every route that reads something of a program. */
export const viewedAs: Parameter = inQuery('as', 'For owners of the program: the partner as whom to look at it.', text);
