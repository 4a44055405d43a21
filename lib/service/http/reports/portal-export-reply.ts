import {
  ownCommissionReply,
  ownCustomerReply,
  ownPayoutReply,
} from '#lib/service/http/reports/portal-figures-reply.ts';
import { joinedProgramReply } from '#lib/service/http/partners/portal-reply.ts';
import { billingReply } from '#lib/service/http/partners/billing-reply.ts';
import { payoutDetailsReply } from '#lib/service/http/partners/payout-details-reply.ts';
import type { ExportedPerson, ExportedProgram } from '#lib/service/reports/exports/export-person.ts';
import type * as wire from '#lib/wire/reports/portal-export.ts';

/** The file with a person's data. @param isView whether an owner views the program as the partner */
export const exportedPersonReply = (
  { account, payoutDetails, billing, programs, isComplete }: ExportedPerson,
  isView: boolean,
): wire.ExportedPerson => ({
  account: { id: account.id, email: account.email, name: account.name, created_at: account.createdAt },
  mail: !account.refusesMail,
  payout_details: payoutDetailsReply(payoutDetails),
  billing: billing ? billingReply(billing, isView) : null,
  programs: programs.map(exportedProgramReply),
  complete: isComplete,
});

function exportedProgramReply(exported: ExportedProgram): wire.ExportedPerson['programs'][number] {
  const { program, partner, links, codes } = exported;
  const { application, acceptedTerms } = partner;
  return {
    ...joinedProgramReply(exported),
    partner_id: partner.id,
    name_in_program: partner.name,
    email_in_program: partner.email ?? null,
    rejected_at: partner.rejectedAt ?? null,
    application: application
      ? {
          message: application.message ?? null,
          website: application.website ?? null,
          applied_at: application.appliedAt,
        }
      : null,
    accepted_terms: acceptedTerms ? { version: acceptedTerms.version, accepted_at: acceptedTerms.at } : null,
    links: links.map((link) => ({
      short_link: link.shortLink,
      destination_url: link.destinationUrl,
      status: link.status,
      created_at: link.createdAt,
    })),
    codes: codes.map(({ code, status, createdAt }) => ({ code, status, created_at: createdAt })),
    commissions: exported.commissions.map(ownCommissionReply),
    payouts: exported.payouts.map(ownPayoutReply),
    customers: exported.customers.map((customer) => ownCustomerReply(program, customer)),
    more: lists.map((name) => `/api/partner/v1/programs/${program.id}/${name}`),
  };
}

const lists = ['commissions', 'commissions.csv', 'payouts', 'customers', 'links', 'codes', 'performance', 'balance'];
