import { type Operation, operation } from '#lib/wire/openapi/operation.ts';
import { partner, person, viewedAs } from '#lib/wire/operations/portal.ts';
import { programId } from '#lib/wire/parameters.ts';
import { PortalMe, PortalProgram } from '#lib/wire/portal/program.ts';
import { data } from '#lib/wire/wrapped.ts';

export const portalProgramRoutes: Readonly<Record<string, Operation>> = {
  'partner/me/get': operation(person, {
    id: 'getPartnerMe',
    summary: 'Who is signed in, and of which programs they are a partner',
    description: 'A program that lists the address of the account is in the list from the next request on.',
    ok: [data(PortalMe)],
  }),
  'partner/program/get': operation(partner, {
    id: 'getPartnerProgram',
    summary: 'A program as its partner sees it',
    parameters: [programId, viewedAs],
    ok: [data(PortalProgram)],
  }),
};
