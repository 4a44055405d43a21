import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { PartnerLink } from '#lib/apps/dashboard/parts/page-links.tsx';
import { Time } from '#lib/apps/web/parts/figures/time.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Partner, ReferralLink } from '#lib/wire/partners/partner.ts';

export const LinkFacts = ({ link }: { readonly link: ReferralLink }) => (
  <section class="card" aria-label="About this link">
    <dl class="facts">
      <dt>Address</dt>
      <dd>
        <span>{link.url}</span> <CopyButton text={link.url} what={`link ${link.short_link}`} />
      </dd>
      <dt>Leads to</dt>
      <dd>
        <a href={link.destination_url} target="_blank" rel="noreferrer">
          {link.destination_url}
        </a>
      </dd>
      <dt>Partner</dt>
      <dd>
        {link.partner_id === null ? (
          <span class="muted">Unlinked by the operator</span>
        ) : (
          <PartnerOf id={link.partner_id} name={link.partner_name} />
        )}
      </dd>
      <dt>Status</dt>
      <dd>
        {link.status === 'active' ? (
          <Badge tone="good">On</Badge>
        ) : (
          <>
            <Badge>Off</Badge> Visitors still reach your site, but their clicks are not counted.
          </>
        )}
      </dd>
      <dt>Last click</dt>
      <dd>{link.last_clicked_at ? <Time at={link.last_clicked_at} /> : 'None yet'}</dd>
      <dt>Created</dt>
      <dd>
        <Time at={link.created_at} />
      </dd>
    </dl>
  </section>
);

interface PartnerOfProps {
  readonly id: number;
  readonly name: string | null;
}

/** Shows the partner of a link. Clicks on a link of a removed partner do not count, even if the link is active. */
function PartnerOf({ id, name }: PartnerOfProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const partner = useLoaded(() => api.get<Partner>(`${path}/partners/${id}`), [api, path, id]);
  const isRemoved = partner.state === 'ready' && partner.value.status === 'removed';
  return (
    <>
      <PartnerLink id={id} name={name} />
      {isRemoved && (
        <>
          {' '}
          <Badge tone="bad">Removed</Badge> Clicks are not counted until you take them back.
        </>
      )}
    </>
  );
}
