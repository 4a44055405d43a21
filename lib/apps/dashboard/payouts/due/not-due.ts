import { moneyText } from '#lib/apps/web/format.ts';
import type { Program } from '#lib/wire/programs/program.ts';

/** Why an amount that is or will be approved is not due. */
export function notDueText({ minimum_payout_cents: cents, currency }: Minimum): string {
  const makesUp = 'makes up for refunds that came after a payout';
  return cents === 0 ? makesUp : `${makesUp}, or is below the minimum payout of ${moneyText(cents, currency)}`;
}

/** Note on an amount that a payout would not pay in full; the payout's preview explains why. */
export const HELD_BACK =
  'Held back is all that is approved for partners who have just changed their payout details. ' +
  'Refunds after earlier payouts are not taken off it yet.';

type Minimum = Pick<Program, 'minimum_payout_cents' | 'currency'>;
