import * as z from 'zod/mini';
import { payoutMethods } from '#lib/service/programs/payout-details/payout-details.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import { text } from '#lib/wire/words/fields.ts';
import { ANY_TEXT, bodyRefusals, completeBodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { recentSignIn } from '#lib/wire/document/dashboard-operations.ts';
import { person, personChange } from '#lib/wire/partners/portal-operations.ts';
import { ExportedPerson } from '#lib/wire/reports/portal-export.ts';
import { Deleted, PayoutDetails } from '#lib/wire/partners/portal-payout-details.ts';
import { Billing } from '#lib/wire/partners/portal-billing.ts';
import { partyTexts } from '#lib/wire/words/party-request.ts';
import { fieldTexts } from '#lib/wire/words/field-texts-request.ts';
import {
  PayoutMethod,
  payoutDetailsTexts,
  ToAccountNumber,
  ToAddress,
  ToIban,
  ToOther,
} from '#lib/wire/partners/payout-details-request.ts';
import { data } from '#lib/wire/words/wrapped.ts';

const someText = z.optional(text);

export const portalPayoutDetailsRoutes = {
  'partner/export/get': operation(person, {
    id: 'exportPerson',
    summary: 'Export what is stored of this person as a partner',
    description:
      "Programs, applications, accepted terms, links, codes, commissions, payouts and customers, as far as they fit into one reply. `complete` is false if something is left out; `more` lists where to read it. A mail to the account's address reports the export.",
    ok: [data(ExportedPerson)],
  }),
  'partner/payout-details/get': operation(person, {
    id: 'getPayoutDetails',
    summary: 'Read the payout details',
    description: 'The reply is null if the person has not set any.',
    ok: [z.strictObject({ data: z.nullable(PayoutDetails) })],
  }),
  'partner/payout-details/put': operation(person, {
    id: 'setPayoutDetails',
    summary: 'Set the payout details',
    description:
      "The details apply to all programs. Programs that the person has accepted can read them. `paypal` needs `email`; `wise` needs `email`, or `account_holder` with `iban`; `bank` needs `account_holder` with `iban`, or with `account_number`, `routing_number` (also a sort code or branch code) and `country`; `other` needs `instructions`. `bic` is optional for each account. The person must have signed in within the last ten minutes. A mail to the account's address reports the change. A change holds payouts for a day, and so do the first details of a person who has already earned something.",
    body: z.object({
      method: PayoutMethod.shape.method,
      email: someText,
      account_holder: someText,
      iban: someText,
      account_number: someText,
      routing_number: someText,
      country: someText,
      bic: someText,
      instructions: someText,
    }),
    ok: [data(PayoutDetails)],
    refusals: [
      refusals.viewIsReadOnly(),
      refusals.signInToBePaid(),
      ...bodyRefusals,
      ...[PayoutMethod, ToAddress, ToIban, ToAccountNumber, ToOther].flatMap((schema) => completeBodyRefusals(schema)),
      refusals.notOneOf('method', ANY_TEXT, payoutMethods),
      refusals.badRequest(fieldTexts.email),
      ...Object.values(payoutDetailsTexts).map(refusals.badRequest),
    ],
  }),
  'partner/billing/get': operation(person, {
    id: 'getBilling',
    summary: 'Read the billing details',
    description: 'Null if the person has not set any.',
    ok: [z.strictObject({ data: z.nullable(Billing) })],
  }),
  'partner/billing/put': operation(person, {
    id: 'setBilling',
    summary: 'Set the billing details',
    description: 'They apply to all programs. Fields that are not sent are removed.',
    body: z.object({ name: someText, address: someText, country: someText, tax_id: someText }),
    ok: [data(Billing)],
    refusals: [
      refusals.viewIsReadOnly(),
      ...bodyRefusals,
      ...[partyTexts.name, partyTexts.address, partyTexts.country, partyTexts.tax_id].map(refusals.badRequest),
    ],
  }),
  'partner/payout-details/delete': operation(recentSignIn(personChange), {
    id: 'deletePayoutDetails',
    summary: 'Delete the payout details',
    description:
      "Also deletes what former programs can still see of them. A mail to the account's address reports it. A hold continues, and details that are set later count as a change. The request may be repeated. The person must have signed in within the last 15 minutes.",
    ok: [data(Deleted)],
  }),
} satisfies Readonly<Record<string, Operation>>;
