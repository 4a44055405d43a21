import * as z from 'zod/mini';
import { factTypes, type FactType } from '#lib/service/outbox/facts/fact.ts';
import { Code } from '#lib/wire/programs/codes/code.ts';
import { LeadCommission, ManualCommission, SaleCommission } from '#lib/wire/earnings/commission.ts';
import { TrackedClick, TrackedLead, TrackedRefund, TrackedSale } from '#lib/wire/reports/event.ts';
import { about, flag, id, named, time } from '#lib/wire/words/fields.ts';
import { listMeta, type ListOf } from '#lib/wire/words/wrapped.ts';
import { Partner, ReferralLink } from '#lib/wire/partners/partner.ts';
import { PayoutLine } from '#lib/wire/earnings/payout-line.ts';
import { ListedPayout } from '#lib/wire/earnings/payout.ts';

export const WebhookEventType = named('WebhookEventType', z.enum(factTypes));
export type WebhookEventType = z.output<typeof WebhookEventType>;

const inProgram = { program_id: id, is_test: about('Test events are told, too.', flag) };

const commission = named(
  'CommissionFact',
  z.discriminatedUnion('kind', [
    z.extend(SaleCommission, inProgram),
    z.extend(LeadCommission, inProgram),
    z.extend(ManualCommission, inProgram),
  ]),
);
const click = named('ClickFact', z.extend(TrackedClick, { program_id: id }));
const lead = named('LeadFact', z.extend(TrackedLead, { program_id: id }));
const sale = named('SaleFact', z.extend(TrackedSale, { program_id: id }));
const refund = named('RefundFact', z.extend(TrackedRefund, { program_id: id }));
const partner = named('PartnerFact', z.extend(Partner, inProgram));
const payout = named('PayoutFact', z.extend(ListedPayout, inProgram));
const line = named('PayoutLineFact', z.extend(PayoutLine, inProgram));
const link = named('LinkFact', z.extend(ReferralLink, inProgram));
const code = named('CodeFact', z.extend(Code, inProgram));

/** The data of each event type, and when it happens. */
const types = {
  'click.recorded': ['A click through a referral link. Only for endpoints that name it.', click],
  'lead.recorded': ['A lead, which may still be provisional.', lead],
  'lead.settled': ['A lead is settled. One that is settled at once is told as both.', lead],
  'sale.recorded': ['A sale.', sale],
  'sale.updated': [
    'The row of a sale has changed: by a refund or a dispute, which are told by themselves too, or because its code or its ' +
      'commission became known, or an earlier payment that makes it a renewal.',
    sale,
  ],
  'sale.reattributed': [
    "A sale is another customer's, because another event of the payment named one. Its former commission is that one's " +
      "partner's now (`commission.recalculated`), or there is none any more: `commission_id` is null.",
    sale,
  ],
  'sale.refunded': [
    'A refund, of all or a part, or with `reason: correction` a part of it that is taken back: `amount_cents` is negative. ' +
      'With `reason: duplicate` the sale counts no more, because another one is of the same payment.',
    refund,
  ],
  'sale.disputed': [
    'A dispute, or with `reason: dispute_won` its end in favour of the brand: `amount_cents` is negative.',
    refund,
  ],
  'commission.created': ['A commission: of a sale, of a lead, or granted.', commission],
  'commission.held': [
    'A rule of the program holds it until a person decides. It is told beside its creation.',
    commission,
  ],
  'commission.released': ['A person has released what a rule held.', commission],
  'commission.approved': [
    'A person has approved it, or its hold is over: within a minute. The end of a hold is told once; what a person approves is told each time.',
    commission,
  ],
  'commission.rejected': ['A person has rejected it.', commission],
  'commission.reduced': ['A refund of a part reduced it.', commission],
  'commission.reversed': ['A full refund or a dispute took it back.', commission],
  'commission.restored': [
    'A won dispute, or the correction of a refund, gave it back, as a whole or in part.',
    commission,
  ],
  'commission.recalculated': [
    "Computed anew: the sale's tax became known, or what its partner sold in the month by which tiers go; or the sale is another customer's now, and the commission that one's partner's; or an earlier payment became known, by which none is due.",
    commission,
  ],
  'commission.paid': ['A payout paid it, or settled what changed since it was paid.', commission],
  'commission.unpaid': [
    'The payout line that paid it failed or became void: what the line held of it is due again.',
    commission,
  ],
  'payout.created': ['A payout with its items, without the ids of its commissions.', payout],
  'payout.line_changed': ['A line of a payout has another status.', line],
  'partner.added': ['Somebody is a partner now, for the first time or again.', partner],
  'partner.applied': ['Somebody asks to become a partner.', partner],
  'partner.removed': ['A partner left or was removed.', partner],
  'link.created': ['A referral link.', link],
  'code.created': ['A coupon code.', code],
  'key.rotation_due': [
    'The program key has to be replaced: when it is marked, a week before, and a day before.',
    z.strictObject({ ...inProgram, rotate_by: about('The key works until then.', time) }),
  ],
  'endpoint.test': [
    'A test of an endpoint, sent to it alone.',
    z.strictObject({ ...inProgram, event: z.optional(WebhookEventType) }),
  ],
} as const satisfies Record<FactType, readonly [description: string, data: z.ZodMiniType]>;

/** The data of each event type. */
export type FactData = { [Type in FactType]: z.output<(typeof types)[Type][1]> };

const factId = named(
  'FactId',
  z.string(),
  'Equal to the header `webhook-id` of its deliveries, however often it is sent.',
);
const timestamp = named(
  'FactTime',
  z.clone(time),
  'When it happened. The order of deliveries is not promised: of the rows of one sale or commission, the one with the highest `version` and then the latest time is as it is now.',
);

const entries = Object.entries(types) as unknown as readonly (readonly [
  FactType,
  readonly [string, z.ZodMiniObject],
])[];

/** The body of a delivery of each event type, and when the event is sent. */
export const webhookBodies = entries.map(([type, [description, data]]) => ({
  type,
  description,
  body: z.strictObject({ type: z.literal(type), timestamp, data }),
}));

const rowOf = <Type extends FactType>(type: Type) =>
  z.strictObject({ id: factId, type: z.literal(type), timestamp, data: types[type][1] });

const Fact = named(
  'Fact',
  z.discriminatedUnion('type', entries.map(([type]) => rowOf(type)) as unknown as readonly [ReturnType<typeof rowOf>]),
  'Something that happened: what webhook endpoints are sent. `data` is the row of the API as it was then.',
);

export const FactPage = z.strictObject({
  data: z.array(Fact),
  meta: z.extend(listMeta, {
    since: about(
      'Facts are stored from then on: from the first endpoint of the program, or the first request for this list.',
      time,
    ),
  }),
});

/** A row of the list of facts. */
export interface FactRow {
  readonly id: string;
  readonly type: FactType;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A page of the list. */
export type FactRows = ListOf<FactRow> & { readonly meta: { readonly since: string } };
