import type { FirstClicks, FirstClicksChange } from '#lib/service/ground/counters/counter.ts';
import { dayOf } from '#lib/service/ground/values/day.ts';
import type { Program } from '#lib/service/programs/program/program.ts';
import { rulesOf, VELOCITY_CLICKS, velocityClicksOf } from '#lib/service/programs/terms/rules.ts';
import { clickBurstOf, isFromOneNetwork, minutesPassing, signupBurstOf } from '#lib/service/programs/terms/velocity.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { recordBursts } from '#lib/service/programs/terms/agreements-items.ts';
import { findRecentProgram } from '#lib/service/programs/program/programs-items.ts';
import { countSignup } from '#lib/service/traffic/customers/signups-items.ts';
import { hashOfDay, networkOf } from '#lib/service/ground/effects/daily-hash.ts';

/**
 * Stores the minutes in which first clicks on a link came from more networks than the program allows. They are stored
 * even if the rule `velocity` is off, because the preview of the rules needs them.
 * @param before numbers of first clicks by minute, before the change
 * @param changed the changed numbers, after the change
 */
export async function recordClickBursts(
  { table, log }: Pick<Deps, 'table' | 'log'>,
  { programId, shortLink }: Pick<FirstClicksChange, 'programId' | 'shortLink'>,
  before: FirstClicks | undefined,
  changed: FirstClicks,
): Promise<void> {
  // No program can set a limit below this one, so for most links the program's own limit need not be read.
  if (Object.values(changed).every((count) => count <= VELOCITY_CLICKS.minimum)) return;
  const program = await findRecentProgram(table, programId);
  const minutes = program ? minutesPassing(velocityClicksOf(program), before, changed) : [];
  if (minutes.length === 0) return;
  const bursts = minutes.map((minute) => clickBurstOf(shortLink, `${minute}:00.000Z`));
  try {
    await recordBursts(table, programId, 'clickBursts', bursts);
  } catch (error) {
    // The error is permanent, so a retry would only delay the counters.
    if (!(error instanceof Error && error.name === 'ValidationException')) throw error;
    log.error('bursts_not_noted', error, { program_id: programId });
  }
}

/** A confirmed signup. */
export interface Signup {
  readonly program: Program;
  readonly partnerId?: number;
  /**
   * The hashed network of the customer. Undefined if all requests came from servers, whose IP addresses are not the
   * customer's.
   */
  readonly network?: string;
}

/**
 * Counts a confirmed signup, and records its network if most of the partner's signups of the day came from it. It runs
 * after the lead was stored. A failure is logged and does not affect the lead.
 */
export async function recordSignup(
  { table, now, log }: Pick<Deps, 'table' | 'now' | 'log'>,
  { program, partnerId, network }: Signup,
): Promise<void> {
  if (partnerId === undefined || network === undefined || rulesOf(program).velocity === 'off') return;
  try {
    const of = { programId: program.id, partnerId, day: dayOf(now) };
    const { ofPartner, ofNetwork } = await countSignup(table, of, network);
    if (!isFromOneNetwork(ofNetwork, ofPartner)) return;
    await recordBursts(table, program.id, 'signupBursts', [signupBurstOf(partnerId, now.toISOString(), network)]);
  } catch (error) {
    log.error('bursts_not_noted', error, { program_id: program.id });
  }
}

/** The hashed network of a person who signs up in a browser. Undefined if the program's rules do not need it. */
export async function networkOfSignup(
  deps: Deps,
  program: Program,
  sender: string | undefined,
): Promise<string | undefined> {
  if (sender === undefined || rulesOf(program).velocity === 'off') return undefined;
  try {
    return networkOf(await hashOfDay(deps, sender));
  } catch (error) {
    // If the network cannot be determined, the lead is still recorded.
    deps.log.error('bursts_not_noted', error, { program_id: program.id });
    return undefined;
  }
}
