import * as refusals from '#lib/domain/refusals.ts';
import { text } from '#lib/wire/fields.ts';
import { account } from '#lib/wire/operations/dashboard.ts';
import type { Family, Parameter } from '#lib/wire/openapi/operation.ts';
import { inQuery } from '#lib/wire/parameters.ts';

// Who may call a route of the partner portal, and what it refuses before it reads anything else.

const tag = 'Partner portal';

/** A signed-in account. */
export const person: Family = { ...account, name: 'PortalAccount', tag };

/** A partner of the program of the path, whatever its status, unless it is rejected. */
export const partner: Family = {
  ...person,
  name: 'PortalPartner',
  refusals: [...person.refusals, refusals.programNotFound()],
};

/** Of every route that reads something of a program. */
export const viewedAs: Parameter = inQuery('as', 'For owners of the program: the partner as whom to look at it.', text);
