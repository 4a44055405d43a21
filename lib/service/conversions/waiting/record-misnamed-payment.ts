import type { Customer } from '#lib/service/traffic/customers/customer.ts';
import {
  CLICK_METADATA,
  type MisspeltMetadata,
  type Payer,
  type ProcessorPayment,
} from '#lib/service/conversions/processors/processor-event.ts';
import { isRealIn, type Program } from '#lib/service/programs/program/program.ts';
import type { Resolved } from '#lib/service/conversions/attribution/resolution.ts';
import { misspeltText, otherProgramText } from '#lib/service/conversions/waiting/unattributed-payment.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import {
  idsOfPayment,
  linkIdsOfPayment,
  spaceOf,
  tracePayment,
} from '#lib/service/conversions/payments/payments-items.ts';
import { unattributedPaymentWrite } from '#lib/service/conversions/waiting/unattributed-payments-items.ts';
import type { Delivery } from '#lib/service/conversions/processors/delivery.ts';
import { unattributedPayment } from '#lib/service/conversions/waiting/keep-payment.ts';
import { resolvePayer } from '#lib/service/conversions/payers/resolve-payer.ts';

/** The probable customer of a payment, and why it was not found. */
interface Misnamed {
  readonly outcome: 'other_program' | 'misspelt_metadata';
  readonly detail: string;
  /** The payer with the corrected metadata. */
  readonly payer: Payer;
  readonly resolved?: Resolved<Customer>;
}

/**
 * Some payments have no customer because their metadata contain another program's id or misspelt names. This function
 * adds such a payment to the list of unattributed payments, so that the owner can decide whether it belongs to this
 * program. Its ids stay linked for a while, as for every payment that is not recorded.
 * @returns why it is no sale; undefined if even the corrected metadata find no customer
 */
export async function recordMisnamedPayment(
  deps: Deps,
  { event, programs, scope }: Delivery,
  payment: ProcessorPayment,
): Promise<Misnamed['outcome'] | undefined> {
  if (!event.isLive || payment.amountCents === 0) return undefined;
  const namedFirst = programs.toSorted(
    (a, b) => Number(b.id === payment.programId) - Number(a.id === payment.programId),
  );
  for (const program of namedFirst) {
    const misnamed = (await ofOtherProgram(deps, payment, program)) ?? (await ofMisspelt(deps, payment, program));
    if (!misnamed) continue;
    const { outcome, detail, payer, resolved } = misnamed;
    deps.logContext.programId = program.id;
    const named = {
      payment: { ...payment, payer },
      program,
      resolved,
      event: { ...event, cameInAt: deps.now },
      codeScope: scope,
    };
    // What the payment's ids are linked to may have changed since the reads above, so the cache is cleared.
    deps.table.forget();
    const trace = await tracePayment(
      deps.table,
      program.id,
      idsOfPayment(payment),
      spaceOf(isRealIn(program, event.isLive)),
    );
    await deps.table.transact([
      unattributedPaymentWrite(unattributedPayment(named, outcome, detail), deps.now),
      ...linkIdsOfPayment(trace, deps.now),
    ]);
    return outcome;
  }
  return undefined;
}

async function ofOtherProgram(
  deps: Deps,
  { programId, payer }: ProcessorPayment,
  program: Program,
): Promise<Misnamed | undefined> {
  if (programId === undefined || programId === program.id) return undefined;
  const resolved = await resolvePayer(deps, payer, program);
  return resolved && { outcome: 'other_program', detail: otherProgramText(programId), payer, resolved };
}

/** Corrects the misspelt names in the metadata one by one, and returns the first with which a customer is found. */
async function ofMisspelt(
  deps: Deps,
  { misspelt = [], payer }: ProcessorPayment,
  program: Program,
): Promise<Misnamed | undefined> {
  for (const one of misspelt) {
    const meant = payerOf(one);
    if (!(await resolvePayer(deps, meant, program))) continue;
    const corrected = { ...payer, isClickReferred: undefined, ...meant };
    const resolved = await resolvePayer(deps, corrected, program);
    return { outcome: 'misspelt_metadata', detail: misspeltText(one), payer: corrected, resolved };
  }
  return undefined;
}

const payerOf = ({ meant, value }: MisspeltMetadata): Payer =>
  meant === CLICK_METADATA ? { clickId: value } : { customerKey: value };
