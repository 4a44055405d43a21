import { useRoute } from 'preact-iso';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { LinkFacts } from '#lib/apps/dashboard/links/link-facts.tsx';
import { LinkSwitch } from '#lib/apps/web/parts/forms/link-switch.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Unknown } from '#lib/apps/dashboard/parts/unknown.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { Figures } from '#lib/apps/dashboard/report/figures.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { ReferralLink } from '#lib/wire/partners/partner.ts';

export function LinkPage() {
  const { short_link: shortLink = '' } = useRoute().params;
  return <OneLink key={shortLink} shortLink={shortLink} />;
}

function OneLink({ shortLink }: { readonly shortLink: string }) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const address = `${path}/links/${encodeURIComponent(shortLink)}`;
  const loading = useLoaded(() => api.get<ReferralLink>(address), [api, address]);

  const all = <a href={programPath('links', program.id)}>All links</a>;
  if (loading.error?.status === 404) {
    return (
      <Unknown title="There is no such link" name={shortLink} ways={all}>
        A short link is written exactly as it was created, capital letters too.
      </Unknown>
    );
  }
  return (
    <Page
      title={`Link ${shortLink}`}
      back={all}
      actions={
        loading.state === 'ready' && (
          <LinkSwitch api={api} path={path} link={loading.value} onChange={loading.replace} />
        )
      }
    >
      <WhenLoaded of={loading}>{(link) => <LinkFacts link={link} />}</WhenLoaded>
      <Figures of={address} />
    </Page>
  );
}
