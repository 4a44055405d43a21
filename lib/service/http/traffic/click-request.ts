import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import {
  isAutomatic,
  qualityOfClick,
  type SeenOfClick,
  storedQuality,
} from '#lib/service/traffic/clicks/click-quality.ts';
import { eventTexts } from '#lib/service/ground/values/event-texts.ts';
import { identifierOf } from '#lib/service/ground/values/identifier.ts';
import { sentAddress } from '#lib/service/traffic/clicks/landing-address.ts';
import type { ClickRequest } from '#lib/service/traffic/clicks/record-click.ts';
import type { TestEventRequest } from '#lib/service/reports/trial/record-test-event.ts';
import type { Json } from '#lib/service/http/messages/request-context.ts';
import { isTestMode, namedPrograms } from '#lib/service/http/programs/test-mode-request.ts';

const LONGEST_CHARACTERS = 2_048;

/** The body of a click. Only its URL can be invalid, and in test mode nothing is checked. */
export type ClickBody =
  | { readonly test: TestEventRequest }
  | { readonly click: ClickRequest; readonly visitor?: Visitor };

/**
 * What identifies a returning visitor besides the address. Absent for bots, and if visitors cannot be distinguished.
 */
interface Visitor {
  readonly userAgent: string;
}

export function clickBody(json: Json, event: APIGatewayProxyEventV2): ClickBody {
  const textOf = eventTexts();
  const text = (field: string) => textOf(json[field], LONGEST_CHARACTERS);
  const address = (field: string) => textOf(sentAddress(json[field]), LONGEST_CHARACTERS);
  const visit = {
    affiliateUrl: address('affiliate_url'),
    pageUrl: address('page_url'),
    referrerUrl: address('referrer_url'),
    sessionId: text('session_id'),
    pageTitle: text('page_title'),
    userAgent: text('user_agent') ?? textOf(event.headers['user-agent'], LONGEST_CHARACTERS),
    screenResolution: text('screen_resolution'),
    viewportSize: text('viewport_size'),
    language: text('language'),
    timezone: text('timezone'),
  };
  const affiliateUrl = json.affiliate_url;
  if (isTestMode(json)) {
    return { test: { type: 'click', affiliateUrl, fields: visit, ...namedPrograms(json) } };
  }
  const sentId = [json.existing_click_id, json.click_id].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  const existingClickId = identifierOf(sentId);
  const signs = {
    ...visitorOf(json, event.headers),
    affiliateUrl: typeof affiliateUrl === 'string' ? affiliateUrl : '',
  };
  const qualityWith = (seen: SeenOfClick) => qualityOfClick({ ...signs, ...seen });
  const { userAgent } = signs;
  const isPerson = !isAutomatic({ quality: storedQuality(qualityWith({})) });
  return {
    click: { affiliateUrl, existingClickId, visit, qualityWith },
    visitor: userAgent && isPerson ? { userAgent } : undefined,
  };
}

/**
 * The visitor's user agent and the purpose of the request. A server's own user agent identifies no one, so it only
 * counts for a page's call, which has an `Origin` header.
 */
function visitorOf({ user_agent: sent }: Json, headers: APIGatewayProxyEventV2['headers']) {
  const named = typeof sent === 'string' ? sent.trim() : '';
  const { origin, 'user-agent': callers, 'sec-purpose': secPurpose, purpose } = headers;
  return {
    userAgent: named || (origin === undefined ? undefined : callers),
    purpose: [secPurpose, purpose].join(),
  };
}
