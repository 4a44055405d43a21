import { apiClient } from '#test/support/callers/api-client.ts';
import { RECEIVED, sendDirect, type StripeEvent } from '#test/support/stripe/stripe.ts';
import type { TestReply } from '#test/support/callers/request.ts';
import type { Command } from '#test/ledger/play/command.ts';
import type { Program, Row } from '#test/ledger/program.ts';
import type { Customer, State } from '#test/ledger/state.ts';

/** One command: the call of the service that it makes, and its effect on the ledger. */
export interface Action {
  readonly call: () => Promise<unknown>;
  /** Changes the ledger's state. @returns the reply that the service must give */
  readonly act: (state: State) => unknown;
}

export type CommandOf<Kind extends Command['do']> = Extract<Command, { do: Kind }>;

export const picked = <T>(from: readonly T[], number: number): T | undefined => from[number % Math.max(1, from.length)];
export const track = (program: Program) => apiClient('/api/v1/track', program.key);
export const wrong = (status: number, message: string) => ({ status, message });
export const readError = ({ status, body }: TestReply) =>
  status === 200 ? { status } : wrong(status, body.error.message);
/** Sends an event of Stripe. @param isCounted whether the payment counts: in a sandbox, only test payments do */
export const sendStripe = async (
  program: Program,
  told: StripeEvent,
  at: Date,
  isForwarded: boolean,
  isCounted = true,
): Promise<void> => {
  const event = { ...told, livemode: isCounted !== program.isSandbox };
  if (isForwarded) {
    const { status, body } = await track(program).post('/stripe', event, { at });
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return;
  }
  const reply = await sendDirect(program.own.program.id, event, { at });
  if (reply.status !== RECEIVED.status) throw new Error(JSON.stringify(reply));
};

/** Returns the name that the ledger gives to a commission of the service. */
export function labelOf(state: State, row: Row): string {
  if (row.kind === 'sale') return `sale ${String(row.transaction_id)}`;
  if (row.kind === 'manual') return String(row.reason);
  return `lead ${state.customers.find(({ clickId }) => clickId === row.click_id)?.label ?? '?'}`;
}

export function payer({ stripe }: Program, { label, clickId, key }: Customer, at: Date) {
  const metadata = { ...(clickId !== null && { service_click_id: clickId }), service_customer_key: key };
  return { metadata, at, more: { customer: stripe.id('cus', label) } };
}

/** The customers whom a payment can identify. */
export const payers = ({ customers }: State): Customer[] =>
  customers.filter(({ clickId, isKeyBound }) => clickId !== null || isKeyBound);
