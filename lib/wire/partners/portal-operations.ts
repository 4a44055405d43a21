import * as refusals from '#lib/service/ground/values/refusals.ts';
import { text } from '#lib/wire/words/fields.ts';
import { account, open } from '#lib/wire/document/dashboard-operations.ts';
import type { Family, Parameter } from '#lib/wire/document/operation.ts';
import { inQuery } from '#lib/wire/words/parameters.ts';

// The routes of the partner portal belong to families, by who may call them. A family also contains the refusals that
// its routes send before they read anything else.

const tag = 'Partner portal';

/** Routes without a credential. */
export const visitor: Family = { ...open, tag };

/** Routes for a signed-in account. */
export const person: Family = { ...account, tag };

/** Routes for a partner of the program in the path. The partner may have any status except rejected. */
export const partner: Family = {
  ...person,

  refusals: [...person.refusals, refusals.programNotFound()],
};

/** Routes that change the account itself. */
export const personChange: Family = {
  ...person,

  refusals: [...person.refusals, refusals.viewIsReadOnly()],
};

/** Routes that change a partner's status, from any status. */
export const partnerStep: Family = {
  ...partner,

  refusals: [...partner.refusals, refusals.viewIsReadOnly()],
};

/** Routes with which an active partner, who has accepted the terms, changes something. */
export const partnerChange: Family = {
  ...partnerStep,

  refusals: [...partnerStep.refusals, refusals.partnerHasLeft(), refusals.notYetPartner(), refusals.termsNotAccepted()],
};

/** The parameter of every route that reads data of a program. */
export const viewedAs: Parameter = inQuery(
  'as',
  'For owners of the program: the id of the partner whose pages to show.',
  text,
);
