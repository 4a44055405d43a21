import * as z from 'zod/mini';
import { partnerStatuses } from '#lib/domain/partner.ts';
import { linkStatuses } from '#lib/domain/referral-link.ts';
import {
  balanceCents,
  byCurrency,
  cents,
  count,
  id,
  named,
  optionalId,
  optionalText,
  optionalTime,
  text,
  time,
} from '#lib/wire/fields.ts';

/** Contract 15.3. */
export const partner = named(
  'Partner',
  z.strictObject({
    id,
    name: text,
    email: text,
    status: z.enum(partnerStatuses),
    links: z.array(text),
    clicks: count,
    leads: count,
    sales: count,
    amounts: byCurrency(
      z.strictObject({ revenue_cents: cents, commission_cents: balanceCents, paid_out_cents: balanceCents }),
    ),
    created_at: time,
  }),
  'A partner in a program. The same person has one id in all programs of a workspace. Counters follow the events within seconds.',
);

/** Contract 15.3. */
export const referralLink = named(
  'ReferralLink',
  z.strictObject({
    short_link: text,
    url: text,
    destination_url: text,
    partner_id: optionalId,
    partner_name: optionalText,
    status: z.enum(linkStatuses),
    clicks: count,
    leads: count,
    sales: count,
    last_clicked_at: optionalTime,
    created_at: time,
  }),
  'Its partner is null when the operator unlinked it.',
);
