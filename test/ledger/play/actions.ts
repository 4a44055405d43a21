import type { Action } from '#test/ledger/play/calls.ts';
import type { SingleCommand } from '#test/ledger/play/command.ts';
import * as owner from '#test/ledger/play/owner-actions.ts';
import type { Program } from '#test/ledger/program.ts';
import { refundAction } from '#test/ledger/play/refund-actions.ts';
import { resendAction, saleAction } from '#test/ledger/play/sale-actions.ts';
import type { State } from '#test/ledger/state.ts';
import * as stripe from '#test/ledger/play/stripe-actions.ts';
import * as visitor from '#test/ledger/play/visitor-actions.ts';

type Maker<Kind extends SingleCommand['do']> = (
  program: Program,
  state: State,
  command: Extract<SingleCommand, { do: Kind }>,
  label: string,
  at: Date,
) => Action | undefined;

const makers: { readonly [Kind in SingleCommand['do']]: Maker<Kind> } = {
  click: visitor.clickAction,
  again: visitor.returnAction,
  lead: visitor.leadAction,
  browserLead: visitor.leadAction,
  sale: saleAction,
  resend: resendAction,
  stripe: stripe.stripeAction,
  live: stripe.liveAction,
  renew: stripe.renewalAction,
  early: stripe.earlyAction,
  stripeRefund: stripe.returnedAction,
  dispute: stripe.returnedAction,
  win: stripe.wonAction,
  refund: refundAction,
  decide: owner.decisionAction,
  grant: owner.grantAction,
  payOut: owner.payoutAction,
  terms: owner.termsAction,
  member: owner.memberAction,
  settings: owner.settingsAction,
  partner: owner.partnerAction,
  patch: owner.patchAction,
};

/**
 * Converts a command to an action.
 * @param label names what the command creates
 * @returns undefined if there is nothing that the command could change
 */
export const actionOf = (
  program: Program,
  state: State,
  command: SingleCommand,
  label: string,
  at: Date,
): Action | undefined => (makers[command.do] as Maker<typeof command.do>)(program, state, command, label, at);
