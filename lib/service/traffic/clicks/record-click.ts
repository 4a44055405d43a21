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
import {
  createCustomer,
  findCustomer,
  logLaterClick,
  setQuality,
} from '#lib/service/traffic/customers/customers-items.ts';
import { findRecentLink } from '#lib/service/programs/links/links-items.ts';
import { findRecentProgram } from '#lib/service/programs/program/programs-items.ts';

export interface ClickRequest {
  /** As sent; refused when it names no link. */
  readonly affiliateUrl: unknown;
  readonly existingClickId?: string;
  /** Of a verification chain: comes through the program's test link, and only there. */
  readonly isTest?: true;
  readonly visit: Visit;
  /** Absent = nothing speaks against it. */
  readonly qualityWith?: (seen: SeenOfClick) => ClickQuality;
}

/** Who clicked, as far as the request tells. */
export interface Visitor extends Pick<SeenOfClick, 'isRepeat'> {
  /** Whether the click comes from one of these addresses or ranges. */
  readonly isIn?: (ranges: readonly string[]) => boolean;
  /** See `CustomerTraits`. */
  readonly network?: string;
  readonly isOfSeenNetwork?: boolean;
}

export interface RecordedClick {
  readonly id: number;
  readonly clickId: string;
  readonly partnerId: number;
  readonly partnerCode: string;
  readonly cookieWindowDays: number;
  /** What a bot or a preview made, so that its click id finds nobody. */
  readonly findsNobody: boolean;
}

/**
 * Records a visit through a referral link. The first one creates a customer of the link's partner; a later visit in the
 * same program is logged for the new partner and changes nothing. What a bot's click creates can be found by nobody.
 * @throws Refusal when the URL leads to no open link
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
  const isLaterClick = existing?.programId === programId;
  const clickId = isLaterClick ? existing.clickId : deps.random.clickId();
  const { visit } = click;
  const qualityWith = (isIgnored: boolean) =>
    storedQuality(click.qualityWith?.({ isRepeat: visitor.isRepeat, isIgnored }) ?? 'ok');
  const quality = qualityWith(false);
  const event = { id, clickId, programId, partnerId, shortLink, visit, quality };
  const [program] = await Promise.all([
    findRecentProgram(table, programId),
    isLaterClick
      ? logLaterClick(table, { ...event, createdAt })
      : createCustomer(table, {
          ...event,
          isTest: click.isTest,
          status: 'click',
          firstClickAt: createdAt,
          traits: traitsOfClick(String(click.affiliateUrl), visit.referrerUrl, visitor.network),
          isOfSeenNetwork: visitor.isOfSeenNetwork || undefined,
        }),
  ]);
  if (!program) throw new Error(`Link ${shortLink} names program ${programId}, which does not exist`);
  // The program is read beside the write, for which nobody waits longer: only a click that it ignores is written twice.
  const isIgnored = quality !== 'bot' && visitor.isIn?.(program.ignoredAddresses ?? []) === true;
  if (isIgnored) {
    await setQuality(table, { clickId, id, createdAt: isLaterClick ? createdAt : undefined }, qualityWith(true));
  }
  return {
    id,
    clickId,
    partnerId,
    partnerCode: shortLink,
    cookieWindowDays: program.attributionWindowDays,
    // The id of an earlier click is still that of its customer.
    findsNobody: !isLaterClick && (isIgnored || isAutomatic({ quality })),
  };
}

/** Starts the reads of a click before anything else is decided. */
export function readAheadOfClick({ table }: Deps, click: ClickRequest): Promise<unknown>[] {
  // recordClick refuses a URL without link.
  const link = Promise.try(() => findRecentLink(table, affValueOf(click.affiliateUrl)));
  return [link, findCustomer(table, click.existingClickId)];
}
