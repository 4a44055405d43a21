import { rateLimits } from '#lib/service/ground/values/rate-limits.ts';
import { isInRanges } from '#lib/service/http/clients/client-network.ts';
import { countVisit } from '#lib/service/http/clients/count-visit.ts';
import { programKeyEndpoint } from '#lib/service/http/callers/endpoint.ts';
import { clickBody } from '#lib/service/http/traffic/click-request.ts';
import { readAheadOfClick, recordClick } from '#lib/service/traffic/clicks/record-click.ts';
import { recordTestEvent } from '#lib/service/reports/trial/record-test-event.ts';

export const handler = programKeyEndpoint({
  limit: rateLimits.click,
  countByAddress: countVisit,
  // A missing or unknown program key causes no 401 here, unlike in other calls. Only a key whose rotation deadline is
  // over is refused.
  programKey: {},
  errors: { failure: 'Click tracking failed' },
  cors: true,
  body: (json, { event }) => clickBody(json, event),
  readAhead: (deps, body) => ('click' in body ? readAheadOfClick(deps, body.click) : []),
  async run(deps, body, keyProgramId, { isRepeat, address, network, isOfSeenNetwork, warnings }) {
    if ('test' in body) {
      const { eventId, programId, windowDays } = await recordTestEvent(deps, { ...body.test, keyProgramId });
      return {
        success: true,
        message: 'Test click event tracked successfully',
        click_id: deps.random.testClickId(),
        cookie_window_days: windowDays,
        data: { eventId, programId, test_mode: true },
      };
    }
    const isIn = (ranges: readonly string[]) => address !== undefined && isInRanges(address, ranges);
    const visitor = { isRepeat, isIn, network, isOfSeenNetwork };
    const { clickId, partnerCode, cookieWindowDays, findsNobody } = await recordClick(deps, body.click, visitor);
    if (findsNobody) warnings.push('bot_click');
    return { success: true, click_id: clickId, partner_code: partnerCode, cookie_window_days: cookieWindowDays };
  },
});
