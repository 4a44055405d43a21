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

const inProgram = { program_id: id, is_test: about('True for a test event.', flag) };

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
  'click.recorded': ['A click on a referral link. It is sent only to endpoints that list it.', click],
  'lead.recorded': ['A lead was recorded. It may still be provisional.', lead],
  'lead.settled': ['A lead was settled. A lead that is settled at once causes both events.', lead],
  'sale.recorded': ['A sale.', sale],
  'sale.updated': [
    'A sale changed: by a refund or dispute (which have events of their own), or because its coupon code, its commission or an earlier payment became known that makes it a renewal.',
    sale,
  ],
  'sale.reattributed': [
    "A sale was moved to another customer, because a later event of the payment identified that customer. The commission now belongs to that customer's partner (`commission.recalculated`), or no longer exists: `commission_id` is then null.",
    sale,
  ],
  'sale.refunded': [
    'A sale was refunded in full or in part. With `reason: correction`, part of a refund was withdrawn, and `amount_cents` is negative. With `reason: duplicate`, the sale no longer counts, because another sale records the same payment.',
    refund,
  ],
  'sale.disputed': [
    'A payment was disputed. With `reason: dispute_won`, the brand won the dispute, and `amount_cents` is negative.',
    refund,
  ],
  'commission.created': ['A commission was created: for a sale or a lead, or by an owner.', commission],
  'commission.held': [
    'A fraud rule holds a commission until a person decides. This is sent in addition to `commission.created`.',
    commission,
  ],
  'commission.released': ['A person released a held commission.', commission],
  'commission.approved': [
    'A commission was approved by a person, or because its hold period ended (within a minute). The end of a hold period is sent once, the approval by a person each time.',
    commission,
  ],
  'commission.rejected': ['A person rejected a commission.', commission],
  'commission.reopened': ['A person took back the approval or the rejection of a commission.', commission],
  'commission.reduced': ['A partial refund reduced a commission.', commission],
  'commission.reversed': ['A full refund or a dispute reversed a commission.', commission],
  'commission.restored': [
    'A won dispute or the correction of a refund restored a commission, in full or in part.',
    commission,
  ],
  'commission.recalculated': [
    "A commission was recalculated, because one of these became known: the sale's tax, the number of the partner's sales in the month (tiers), another customer and partner of the sale, or an earlier payment that makes this one a renewal that earns nothing.",
    commission,
  ],
  'commission.paid': ['A payout paid a commission, or settled its changes since it was paid.', commission],
  'commission.unpaid': [
    'A payout line failed or became void. What the line held of the commission is due again.',
    commission,
  ],
  'payout.created': ['A payout was recorded. It contains its items, without the ids of its commissions.', payout],
  'payout.line_changed': ['The status of a payout line changed.', line],
  'partner.added': ['Somebody is a partner now, for the first time or again.', partner],
  'partner.applied': ['Somebody asks to become a partner.', partner],
  'partner.removed': ['A partner left or was removed.', partner],
  'link.created': ['A referral link was created.', link],
  'code.created': ['A coupon code was created.', code],
  'key.rotation_due': [
    'The program key must be replaced. This is sent when the key is marked for rotation, a week before the deadline, and a day before it.',
    z.strictObject({ ...inProgram, rotate_by: about('The deadline: the key works until this time.', time) }),
  ],
  'endpoint.test': [
    'A test event, sent to this endpoint alone.',
    z.strictObject({ ...inProgram, event: z.optional(WebhookEventType) }),
  ],
} as const satisfies Record<FactType, readonly [description: string, data: z.ZodMiniType]>;

/** The data of each event type. */
export type FactData = { [Type in FactType]: z.output<(typeof types)[Type][1]> };

const factId = named(
  'FactId',
  z.string(),
  'Equal to the header `webhook-id` of its deliveries. It is the same for each attempt.',
);
const timestamp = named(
  'FactTime',
  z.clone(time),
  'When it happened. Events may arrive in any order: the present state of a sale or commission is the row with the highest `version`, and among those the latest time.',
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
  "Something that happened, as it is sent to webhook endpoints. `data` is the API's row at that time.",
);

export const FactPage = z.strictObject({
  data: z.array(Fact),
  meta: z.extend(listMeta, {
    since: about(
      "Facts are stored from this time on: from the creation of the program's first endpoint, or from the first request for this list.",
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
