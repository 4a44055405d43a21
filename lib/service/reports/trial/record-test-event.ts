import { affValueOf } from '#lib/service/programs/links/referral-link.ts';
import { currencyOfSale } from '#lib/service/conversions/sales/currency-of-sale.ts';
import { duplicateTransaction, programMismatch, Refusal } from '#lib/service/ground/values/refusals.ts';
import { DEFAULT_WINDOW_DAYS, type Program } from '#lib/service/programs/program/program.ts';
import { newTestSale, type SentFacts } from '#lib/service/conversions/sales/sale.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findLink } from '#lib/service/programs/links/links-items.ts';
import { findProgram } from '#lib/service/programs/program/programs-items.ts';
import { findSale, existingSale, storeSale } from '#lib/service/conversions/sales/sales-items.ts';
import { storeTestEvent, type TestEvent } from '#lib/service/reports/trial/test-events-items.ts';

/** A test click or lead. It needs no identifier and does not look up a customer. */
export interface TestEventRequest {
  readonly type: TestEvent['type'];
  /** The program whose key was sent. Only events with a key count as a test of the integration. */
  readonly keyProgramId?: number;
  /** The field `additional_data.program_id`. */
  readonly namedProgramId?: number;
  /** The top-level field `program_id`. */
  readonly bodyProgramId?: number;
  /** The URL as sent. If a click has no valid program id, the program is found by this URL. */
  readonly affiliateUrl?: unknown;
  readonly fields: TestEvent['fields'];
}

export interface RecordedTestEvent {
  readonly eventId: number;
  readonly programId: number | null;
  readonly windowDays: number;
}

/** Stores a test click or lead. @throws Refusal if the key and `additional_data.program_id` name different programs */
export async function recordTestEvent(deps: Deps, request: TestEventRequest): Promise<RecordedTestEvent> {
  const { keyProgramId, namedProgramId, type, fields } = request;
  const isMismatch = keyProgramId !== undefined && namedProgramId !== undefined && keyProgramId !== namedProgramId;
  if (isMismatch) throw programMismatch();
  const [eventId, program] = await Promise.all([deps.ids.take(deps.table), programOf(deps, request)]);
  deps.logContext.programId = program?.id;
  await storeTestEvent(deps.table, {
    id: eventId,
    type,
    isTest: true,
    keyed: keyProgramId !== undefined,
    programId: program?.id,
    createdAt: deps.now.toISOString(),
    fields,
  });
  return {
    eventId,
    programId: program?.id ?? null,
    windowDays: program?.attributionWindowDays ?? DEFAULT_WINDOW_DAYS,
  };
}

/**
 * The program of a test event: the one of the key, or else the first of the named programs that exists, or else the one
 * of the link.
 */
async function programOf(deps: Deps, request: TestEventRequest): Promise<Program | undefined> {
  const { table } = deps;
  for (const id of [request.keyProgramId, request.namedProgramId, request.bodyProgramId]) {
    const program = id === undefined ? undefined : await findProgram(table, id);
    if (program) return program;
  }
  const linkProgramId = (await linkOf(deps, request.affiliateUrl))?.programId;
  return linkProgramId === undefined ? undefined : findProgram(table, linkProgramId);
}

async function linkOf({ table }: Deps, affiliateUrl: unknown) {
  try {
    return await findLink(table, affValueOf(affiliateUrl));
  } catch (error) {
    // In test mode the URL is optional, so an invalid URL causes no error.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

export interface TestSaleRequest {
  readonly facts: Omit<SentFacts, 'transactionId'> & { readonly transactionId?: string };
  readonly occurredAt?: Date;
  readonly customerKey?: string;
  readonly clickId?: string;
}

/**
 * Stores a test sale, which has no customer and no commission. Its transaction id must differ from those of all other
 * sales. If the service generates the id and it is taken, another one is generated.
 * @throws Refusal if the installation does not accept the currency, or if the given id is taken
 */
export async function recordTestSale(deps: Deps, request: TestSaleRequest, programId: number): Promise<number> {
  const { table, now } = deps;
  deps.logContext.programId = programId;
  const givenId = request.facts.transactionId;
  const [id, recorded, program] = await Promise.all([
    deps.ids.take(table),
    givenId === undefined ? undefined : findSale(table, givenId),
    findProgram(table, programId),
  ]);
  if (!program) throw new Error(`A key names program ${programId}, which does not exist`);
  const currency = currencyOfSale(request.facts.currency, program, deps.config.currencies);
  if (recorded) throw duplicateTransaction(recorded.id, recorded.programId === programId);
  const { facts, customerKey, clickId, occurredAt: paidAt = now } = request;
  const names = { id, programId, source: 'api', keyed: true, paidAt, now, customerKey, clickId } as const;
  const generatedId = `test_txn_${now.getTime()}`;
  for (let n = 0; ; n++) {
    const transactionId = givenId ?? (n === 0 ? generatedId : `${generatedId}_${n}`);
    try {
      await storeSale(table, newTestSale({ ...facts, currency, transactionId }, names));
      return id;
    } catch (error) {
      const existing = existingSale(error);
      if (!existing) throw error;
      if (givenId !== undefined) throw duplicateTransaction(existing.id, existing.programId === programId);
    }
  }
}
