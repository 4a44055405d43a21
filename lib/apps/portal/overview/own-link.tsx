import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { LinkAddress } from '#lib/apps/portal/links/link-address.tsx';
import { NextStep } from '#lib/apps/portal/overview/next-step.tsx';
import type { PortalLink } from '#lib/wire/partners/partner.ts';

/** Number of links among which an active one is looked for. */
const MOST_LINKS = 100;

/** Shows the partner's first active link. If it cannot be loaded, the rest of the page still works. */
export function OwnLink() {
  const { program, api, path, addressOf } = useProgram();
  const links = useLoaded(() => api.get<readonly PortalLink[]>(`${path}/links`, { limit: MOST_LINKS }), [api, path]);
  if (program.status === 'removed' || links.state === 'failed') return null;
  const link = links.state === 'ready' ? links.value.find(({ status }) => status === 'active') : undefined;
  if (links.state === 'ready' && !link) return <NextStep />;
  return (
    <section class="card own-link" aria-label="Your link" aria-busy={!link}>
      {link ? <LinkAddress url={link.url} /> : <span class="link-address">&nbsp;</span>}
      {link && <CopyButton text={link.url} what="your link" label="Copy your link" />}
      <a href={addressOf('links')}>All links</a>
    </section>
  );
}
