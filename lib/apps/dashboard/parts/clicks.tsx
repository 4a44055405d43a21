import { countText } from '#lib/apps/web/format.ts';
import type { Totals } from '#lib/wire/reports/performance.ts';

/** The number of clicks, and below it clicks of bots and previews, which it does not include. */
export const Clicks = ({ of }: { readonly of: Pick<Totals, 'clicks' | 'bot_clicks'> }) => (
  <>
    {countText(of.clicks)}
    {of.bot_clicks > 0 && <div class="muted">+{countText(of.bot_clicks)} by bots</div>}
  </>
);
