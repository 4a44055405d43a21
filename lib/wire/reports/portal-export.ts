import * as z from 'zod/mini';
import { codeStatuses } from '#lib/service/programs/links/code.ts';
import { linkStatuses } from '#lib/service/programs/links/referral-link.ts';
import { about, flag, id, list, named, optionalText, optionalTime, text, time } from '#lib/wire/words/fields.ts';
import { PortalCommission, PortalCustomer, PortalPayout } from '#lib/wire/reports/portal-figures.ts';
import { Billing } from '#lib/wire/partners/portal-billing.ts';
import { PayoutDetails } from '#lib/wire/partners/portal-payout-details.ts';
import { JoinedProgram } from '#lib/wire/partners/portal-program.ts';

const ExportedProgram = z.extend(JoinedProgram, {
  partner_id: id,
  name_in_program: text,
  email_in_program: optionalText,
  rejected_at: optionalTime,
  application: z.nullable(z.strictObject({ message: optionalText, website: optionalText, applied_at: time })),
  accepted_terms: z.nullable(z.strictObject({ version: z.int(), accepted_at: time })),
  links: z.array(
    z.strictObject({ short_link: text, destination_url: text, status: z.enum(linkStatuses), created_at: time }),
  ),
  codes: z.array(z.strictObject({ code: text, status: z.enum(codeStatuses), created_at: time })),
  commissions: list(PortalCommission),
  payouts: list(PortalPayout),
  customers: list(PortalCustomer),
  more: about(
    'Routes for what is left out (see `complete`) and for the figures. Each returns a list or a file.',
    list(text),
  ),
});

export const ExportedPerson = named(
  'ExportedPerson',
  z.strictObject({
    account: z.strictObject({ id, email: text, name: text, created_at: time }),
    mail: about('Whether the person receives mails as a partner.', flag),
    payout_details: z.nullable(PayoutDetails),
    billing: z.nullable(Billing),
    programs: z.array(ExportedProgram),
    complete: about(
      'False if something is left out. A reply has at most 5,000 links and codes, and the newest 1,000 commissions, payouts and customers, of 100 programs. Use the routes in `more` for the rest.',
      flag,
    ),
  }),
  'The data stored of an account as a partner. Payout details are masked, as everywhere.',
);
export type ExportedPerson = z.output<typeof ExportedPerson>;
