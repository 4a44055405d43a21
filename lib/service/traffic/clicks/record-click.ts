import {
  type ClickQuality,
  isAutomatic,
  type SeenOfClick,
  storedQuality,
} from '#lib/service/traffic/clicks/click-quality.ts';
import { traitsOfClick } from '#lib/service/traffic/clicks/click-traits.ts';
import type { Visit } from '#lib/service/traffic/customers/customer.ts';
import { affValueOf, isTestLink, linkIsOpen } from '#lib/service/programs/links/referral-link.ts';
import { linkDisabled, linkMisconfigured, linkNotFound } from '#lib/service/ground/values/refusals.ts';
import type { Deps } from '#lib/service/ground/effects/deps.ts';
import { findCustomer } from '#lib/service/traffic/customers/customers-items.ts';
import { correctClick, createCustomer, logLaterClick } from '#lib/service/traffic/clicks/clicks-items.ts';
import { findRecentLink } from '#lib/service/programs/links/links-items.ts';
import { DEFAULT_WINDOW_DAYS, type Program } from '#lib/service/programs/program/program.ts';
import { clickExpiry, takesLaterClicks } from '#lib/service/traffic/clicks/click-expiry.ts';
import { findRecentProgram } from '#lib/service/programs/program/programs-items.ts';

export interface ClickRequest {
  /** The URL as sent. The click is refused if the URL contains no referral link. */
  readonly affiliateUrl: unknown;
  readonly existingClickId?: string;
  /** True for a test click. Test clicks must use the program's test link, and only test clicks may use it. */
  readonly isTest?: true;
  readonly visit: Visit;
  /** Decides the quality of the click from what is known about the visitor. Without this function, it is `ok`. */
  readonly qualityWith?: (seen: SeenOfClick) => ClickQuality;
}

/** What a request says about the visitor. */
export interface Visitor extends Pick<SeenOfClick, 'isRepeat'> {
  /** Returns whether the visitor's IP address is within one of the given addresses or ranges. */
  readonly isIn?: (ranges: readonly string[]) => boolean;
  /** The hashed network of the visitor, see `CustomerTraits`. */
  readonly network?: string;
  readonly isOfSeenNetwork?: boolean;
}

export interface RecordedClick {
  readonly id: number;
  readonly clickId: string;
  readonly partnerId: number;
  readonly partnerCode: string;
  readonly cookieWindowDays: number;
  /** Set if a bot or a link preview made the click. Its click id then never finds a customer. */
  readonly findsNobody: boolean;
}

/**
 * Records a visit through a referral link. The first click creates a customer of the link's partner. A later click in
 * the same program is stored with its partner and does not change the customer. What a bot's click creates is never
 * found as a customer.
 * @throws Refusal if the URL contains no link that works
 */
export async function recordClick(deps: Deps, click: ClickRequest, visitor: Visitor = {}): Promise<RecordedClick> {
  const { table, now } = deps;
  const shortLink = affValueOf(click.affiliateUrl);
  const [link, existing, id] = await Promise.all([
    findRecentLink(table, shortLink),
    findCustomer(table, click.existingClickId),
    deps.ids.take(table),
  ]);
  if (!link || isTestLink(shortLink) !== (click.isTest ?? false)) throw linkNotFound();
  const { programId, partnerId } = link;
  deps.logContext.programId = programId;
  if (programId === undefined || partnerId === undefined) throw linkMisconfigured();
  if (!linkIsOpen(link)) throw linkDisabled();

  const createdAt = now.toISOString();
  const isLaterClick = existing?.programId === programId && takesLaterClicks(existing, now);
  const clickId = isLaterClick ? existing.clickId : deps.random.clickId();
  const { visit } = click;
  const qualityWith = (isIgnored: boolean) =>
    storedQuality(click.qualityWith?.({ isRepeat: visitor.isRepeat, isIgnored }) ?? 'ok');
  const quality = qualityWith(false);
  const event = { id, clickId, programId, partnerId, shortLink, visit, quality };
  // The program's attribution window decides when the click expires. The program is read in parallel with the write to
  // save time.
  const windows = deps.once(recentWindows);
  const expiryIn = (windowDays: number) => clickExpiry(now, windowDays, deps.config.unusedClickDays);
  const expires_at = isLaterClick ? existing.expires_at : expiryIn(windows.get(programId) ?? DEFAULT_WINDOW_DAYS);
  const [program] = await Promise.all([
    findRecentProgram(table, programId),
    isLaterClick
      ? logLaterClick(table, { ...event, createdAt, expires_at })
      : createCustomer(table, {
          ...event,
          expires_at,
          isTest: click.isTest,
          status: 'click',
          firstClickAt: createdAt,
          traits: traitsOfClick(String(click.affiliateUrl), visit.referrerUrl, visitor.network),
          isOfSeenNetwork: visitor.isOfSeenNetwork || undefined,
        }),
  ]);
  if (!program) throw new Error(`Link ${shortLink} names program ${programId}, which does not exist`);
  remember(windows, program);
  const rightExpiry = isLaterClick ? expires_at : expiryIn(program.attributionWindowDays);
  // A second write is needed if the program ignores the click's address, or if this container did not know the
  // program's attribution window yet and assumed a wrong one. Only after that write, the visitor gets the click id.
  const isIgnored = quality !== 'bot' && visitor.isIn?.(program.ignoredAddresses ?? []) === true;
  if (isIgnored || rightExpiry !== expires_at) {
    await correctClick(
      table,
      { clickId, id, createdAt: isLaterClick ? createdAt : undefined },
      {
        quality: isIgnored ? qualityWith(true) : quality,
        ...(rightExpiry !== expires_at && { expires_at: rightExpiry }),
      },
    );
  }
  return {
    id,
    clickId,
    partnerId,
    partnerCode: shortLink,
    cookieWindowDays: program.attributionWindowDays,
    // After a later click the reply contains the id of the customer's first click, which still finds the customer.
    findsNobody: !isLaterClick && (isIgnored || isAutomatic({ quality })),
  };
}

/** The attribution windows of programs in days, as this container read them last. */
const recentWindows = (): Map<number, number> => new Map();
const MOST_WINDOWS = 10_000;

function remember(windows: Map<number, number>, { id, attributionWindowDays }: Program): void {
  if (windows.size >= MOST_WINDOWS) windows.clear();
  windows.set(id, attributionWindowDays);
}

/** Starts the reads of a click early, in parallel with other checks. */
export function readAheadOfClick({ table }: Deps, click: ClickRequest): Promise<unknown>[] {
  // If the URL contains no referral link, this read fails. `recordClick` reads it again and sends the refusal.
  const link = Promise.try(() => findRecentLink(table, affValueOf(click.affiliateUrl)));
  return [link, findCustomer(table, click.existingClickId)];
}
