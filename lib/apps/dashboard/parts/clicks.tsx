import { countText } from '#lib/apps/web/format.ts';
import type { Totals } from '#lib/wire/reports/performance.ts';

/** Shows the number of clicks and, in a second line, how many more came from bots and previews. */
export const Clicks = ({ of }: { readonly of: Pick<Totals, 'clicks' | 'bot_clicks'> }) => (
  <>
    {countText(of.clicks)}
    {of.bot_clicks > 0 && <div class="muted">+{countText(of.bot_clicks)} by bots</div>}
  </>
);
