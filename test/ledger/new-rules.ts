/** Rules that are written down here before the service knows them; each is played once its branch has been merged. */
export const newRules = {
  /** The service decides what is a renewal, from what the customer has bought before. */
  decidedRenewals: true,
  /** `refund_id`, `correction`, and amounts from 1 to that of the sale. */
  refundIds: true,
  /** An API sale that names an id of a Stripe payment is that payment. */
  onePayment: true,
  /** A refund call may name any id of the payment. */
  anyId: true,
  /** A sale without currency has that of the program. */
  programCurrency: true,
  /** Payments whose metadata name another program, or nobody by a slip, are listed. */
  lossesNamed: true,
  /** Forwarded Stripe events. */
  forwarded: true,
  /** Facts tell changes of the same moment in their order, and the newest of each row is what the API shows. */
  factsInOrder: true,
  /** Refunds reduce the fee of a sale whose commission was rejected, too. */
  rejectedFees: true,
  /** The fee of a commission that a rule holds is 0 until it is released. */
  heldFees: true,
  /** Tiers do not depend on when events are counted. */
  lateCounters: true,
};
