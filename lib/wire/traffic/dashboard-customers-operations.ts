import * as z from 'zod/mini';
import { customerStatuses } from '#lib/service/traffic/customers/customer.ts';
import * as refusals from '#lib/service/ground/values/refusals.ts';
import {
  exportCursor,
  fileReplies,
  ofProgram,
  ownersOnly,
  pageRefusals,
} from '#lib/wire/document/dashboard-operations.ts';
import { ANY_TEXT, bodyRefusals } from '#lib/wire/document/error-bodies.ts';
import { type Operation, operation } from '#lib/wire/document/operation.ts';
import { CustomerExport, RequestedErasure } from '#lib/wire/traffic/customer-export.ts';
import { CustomerHistory } from '#lib/wire/traffic/customer-history.ts';
import { Customer, UnlinkedCustomer } from '#lib/wire/traffic/customer.ts';
import { about, clickId, id, text } from '#lib/wire/words/fields.ts';
import { chosen, inPath, inQuery, page, programId } from '#lib/wire/words/parameters.ts';
import { Reason } from '#lib/wire/words/reason-request.ts';
import { data, listOf } from '#lib/wire/words/wrapped.ts';

const family = ofProgram('reports and payouts');
const owners = ownersOnly(family);
const ofCustomer = [programId, inPath('click_id', 'The customer.', clickId)];

export const customerRoutes = {
  'dashboard/customers/get': operation(family, {
    id: 'listCustomers',
    summary: 'List the customers',
    description:
      'Newest first. A customer is listed from the lead on, or from the first sale if there is no lead. Even without a filter, a page may be short or empty before the last one.',
    parameters: [
      programId,
      ...page,
      chosen('status', 'Only customers with this status.', customerStatuses),
      inQuery('partner_id', 'Only those of this partner.', id),
    ],
    ok: [listOf(Customer)],
    refusals: [...pageRefusals, refusals.notOneOf('status', ANY_TEXT, customerStatuses)],
  }),
  'dashboard/customer/get': operation(family, {
    id: 'getCustomer',
    summary: 'Read a customer',
    description:
      "The customer's lead, the oldest 50 clicks, and the newest 50 sales, with the present state of their commissions and the newest 20 refunds of each. The amounts cover all sales. Older sales are among the events.",
    parameters: ofCustomer,
    ok: [data(CustomerHistory)],
    refusals: [refusals.customerNotFound()],
  }),
  'dashboard/customer/export': operation(owners, {
    id: 'exportCustomer',
    summary: 'Export everything that is stored about a customer',
    description: 'For owners. A JSON file of any size. The audit log shows who made it.',
    parameters: [...ofCustomer, exportCursor],
    others: fileReplies(owners, {
      description: 'A JSON file with all records.',
      contentType: 'application/json',
      body: CustomerExport,
    }),
    refusals: [refusals.customerNotFound(), refusals.cursorInvalid()],
  }),
  'dashboard/customer/erase': operation(owners, {
    id: 'eraseCustomer',
    summary: "Erase a customer's personal data",
    description:
      'For owners who have signed in within the last 15 minutes. From this request on, no event finds the customer. Within minutes the personal data is removed from all records; sales, commissions and figures stay. Repeat the request to read how far it is; this needs no recent sign-in and changes nothing.',
    parameters: ofCustomer,
    body: z.object({ confirm: about('The click id, as a confirmation.', text) }),
    ok: [data(RequestedErasure)],
    refusals: [refusals.customerNotFound(), refusals.signInAgain(), ...bodyRefusals, refusals.erasureUnconfirmed()],
  }),
  'dashboard/customer/unlink': operation(owners, {
    id: 'unlinkCustomer',
    summary: 'Unlink a customer from all future events',
    description:
      'For owners. Later sales, leads and payments do not find this customer. Once the person clicks on a link again, the customer key belongs to the customer of that click. Recorded sales and commissions stay. If you repeat the request, the first reason stays.',
    parameters: ofCustomer,
    body: Reason,
    ok: [data(UnlinkedCustomer)],
    refusals: [refusals.customerNotFound(), ...bodyRefusals, refusals.reasonMissing()],
  }),
} satisfies Readonly<Record<string, Operation>>;
