import type { PayoutDetails } from '#lib/service/programs/payout-details/payout-details.ts';
import type { LineInCsv } from '#lib/service/earnings/files/export-payout.ts';
import { lineIdOf } from '#lib/service/earnings/lines/payout-line.ts';
import type { Payout } from '#lib/service/earnings/payouts/payout.ts';
import { amountCell, type Columns, csvOf } from '#lib/service/http/messages/csv.ts';

interface PayoutRow extends LineInCsv {
  readonly payout: Payout;
}

/** The name of any field that payout details may have, with any method. */
type DetailsField = PayoutDetails extends infer One ? (One extends unknown ? keyof One : never) : never;

const detail =
  (field: DetailsField) =>
  ({ details }: PayoutRow): string | undefined =>
    (details as Readonly<Partial<Record<DetailsField, string>>> | undefined)?.[field];

/**
 * The columns of a payout's file, in order. Those of the payout details are empty if there are none, or while they are
 * on hold.
 */
const columns: Columns<PayoutRow> = {
  payout_id: ({ payout }) => payout.id,
  partner_id: ({ line }) => line.partnerId,
  partner_name: ({ partner }) => partner?.name,
  partner_email: ({ partner }) => partner?.email,
  currency: ({ line }) => line.currency,
  amount_cents: ({ line }) => line.amountCents,
  commissions: ({ line }) => line.commissions,
  method: ({ method }) => method,
  details: ({ shown }) => shown,
  reference: ({ payout, line }) => line.reference ?? payout.reference,
  new_since_last_payout: ({ isNew }) => (isNew ? 'yes' : ''),
  line_id: ({ line }) => lineIdOf(line),
  status: ({ line }) => line.status,
  amount: ({ line }) => amountCell(line.amountCents, line.currency),
  account_holder: detail('account_holder'),
  email: detail('email'),
  iban: detail('iban'),
  bic: detail('bic'),
  account_number: detail('account_number'),
  routing_number: detail('routing_number'),
  country: detail('country'),
  instructions: detail('instructions'),
  billing_name: ({ billing }) => billing?.name,
  billing_address: ({ billing }) => billing?.address,
  billing_country: ({ billing }) => billing?.country,
  tax_id: ({ billing }) => billing?.taxId,
};

const spelling = csvOf(columns);

export const payoutCsv = (payout: Payout, lines: readonly LineInCsv[]): string =>
  spelling.header + spelling.lines(lines.map((line) => ({ ...line, payout })));
