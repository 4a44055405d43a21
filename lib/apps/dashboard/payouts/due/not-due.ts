import { moneyText } from '#lib/apps/web/format.ts';
import type { Program } from '#lib/wire/programs/program.ts';

/** Explains why an amount is not due yet, although it is or will be approved. */
export function notDueText({ minimum_payout_cents: cents, currency }: Minimum): string {
  const makesUp = 'makes up for refunds that came after a payout';
  return cents === 0 ? makesUp : `${makesUp}, or is below the minimum payout of ${moneyText(cents, currency)}`;
}

/** A note on an amount of which a payout would pay only a part. The preview of the payout says why. */
export const HELD_BACK =
  'Held back is all that is approved for partners who have just changed their payout details. ' +
  'Refunds after earlier payouts are not taken off it yet.';

type Minimum = Pick<Program, 'minimum_payout_cents' | 'currency'>;
