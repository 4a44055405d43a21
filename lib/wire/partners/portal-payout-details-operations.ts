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
    summary: 'What is stored of this person as a partner',
    description:
      'Programs, applications, accepted terms, links, codes, commissions, payouts and customers, as far as they fit into a ' +
      'reply: `complete` tells whether something is left out, `more` where to read it. It is told to the address of the ' +
      'account.',
    ok: [data(ExportedPerson)],
  }),
  'partner/payout-details/get': operation(person, {
    id: 'getPayoutDetails',
    summary: 'Where payouts of this person go',
    description: 'Null where the person has not said so yet.',
    ok: [z.strictObject({ data: z.nullable(PayoutDetails) })],
  }),
  'partner/payout-details/put': operation(person, {
    id: 'setPayoutDetails',
    summary: 'Say where payouts go',
    description:
      'Of all programs; those read it whose partner the person is by their own will. `paypal` and `wise` take `email`; `wise` also `account_holder` with `iban`; `bank` takes `account_holder` with `iban`, or with ' +
      '`account_number`, `routing_number` (also a sort code or branch code) and `country`; `other` takes `instructions`. `bic` may stand beside each account. It needs a sign-in of the last ten ' +
      'minutes, and is told to the address of the account. Other details than before hold payouts for a day, and so do first ones of who has earned anything.',
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
    summary: 'How statements name this person',
    description: 'Null where the person has not said so yet.',
    ok: [z.strictObject({ data: z.nullable(Billing) })],
  }),
  'partner/billing/put': operation(person, {
    id: 'setBilling',
    summary: 'Say how statements name this person',
    description: 'For all programs, and as a whole: a field that is not sent is removed. It moves no money.',
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
    summary: 'Delete where payouts go',
    description:
      'Also what former programs still see of it. It is told to the address of the account. A hold goes on; whoever sets ' +
      'others later has changed them. Repeating it answers the same. It needs a sign-in of the last 15 minutes.',
    ok: [data(Deleted)],
  }),
} satisfies Readonly<Record<string, Operation>>;
