import type { ComponentType } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { NotFoundPage } from '#lib/apps/dashboard/pages/not-found.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import type { SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { BrandSection } from '#lib/apps/dashboard/settings/brand/brand-section.tsx';
import { GeneralSection } from '#lib/apps/dashboard/settings/general/general-section.tsx';
import { StatusSection } from '#lib/apps/dashboard/settings/general/status-section.tsx';
import { KeySection } from '#lib/apps/dashboard/settings/integrations/key-section.tsx';
import { ProcessorSection } from '#lib/apps/dashboard/settings/integrations/processor-section.tsx';
import { WebhooksSection } from '#lib/apps/dashboard/settings/integrations/webhooks-section.tsx';
import { JoinSection } from '#lib/apps/dashboard/settings/join-section.tsx';
import { PayoutsSection } from '#lib/apps/dashboard/settings/payouts-section.tsx';
import { RulesSection } from '#lib/apps/dashboard/settings/rules-section.tsx';
import {
  pageNamedBy,
  type SectionId,
  settingsPages,
  settingsPath,
} from '#lib/apps/dashboard/settings/settings-pages.ts';
import { GroupsSection } from '#lib/apps/dashboard/settings/terms/groups-section.tsx';
import { TermsSection } from '#lib/apps/dashboard/settings/terms/terms-section.tsx';
import { TermsVersions } from '#lib/apps/dashboard/settings/terms/terms-versions.tsx';
import { OwnClicksSection } from '#lib/apps/dashboard/settings/tracking/own-clicks-section.tsx';
import { TrackingSection } from '#lib/apps/dashboard/settings/tracking/tracking-section.tsx';

/** Each section with its heading. */
const sections: Readonly<Record<SectionId, readonly [string, ComponentType<SectionHeading>]>> = {
  program: ['Program', GeneralSection],
  status: ['Status', StatusSection],
  brand: ['Brand', BrandSection],
  join: ['Partners', JoinSection],
  terms: ['What partners earn', TermsSection],
  groups: ['Groups of partners', GroupsSection],
  versions: ['History of terms', TermsVersions],
  payouts: ['Payouts', PayoutsSection],
  tracking: ['Tracking', TrackingSection],
  'own-clicks': ['Your own clicks', OwnClicksSection],
  rules: ['Rules for sales and signups', RulesSection],
  'api-key': ['API Key', KeySection],
  processor: ['Card processor', ProcessorSection],
  webhooks: ['Webhooks', WebhooksSection],
};

/** One page of the program's settings, below links to all of them. */
export function SettingsPage() {
  const { program } = useProgram();
  const { page: asked } = useRoute().params;
  const { query, route } = useLocation();
  const name = asked ?? pageNamedBy(location.hash, query);
  const page = settingsPages.find((one) => one.name === name);

  // Other systems and old links name a section of the settings by `#` alone, at the address of the first page.
  useLayoutEffect(() => {
    if (asked === undefined && page && page !== settingsPages[0]) {
      route(`${settingsPath(program.id, page.name)}${location.search}${location.hash}`, true);
    }
  }, [name]);
  // The page scrolls again, because the sections are drawn after the browser has looked for the section in the address.
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [name]);

  if (!page) return <NotFoundPage />;
  return (
    <Page title="Settings" windowTitle={`Settings: ${page.title}`}>
      <nav class="sub-navigation" aria-label="Settings">
        {settingsPages.map((one) => (
          <a key={one.name} href={settingsPath(program.id, one.name)} aria-current={one === page ? 'page' : undefined}>
            {one.title}
          </a>
        ))}
      </nav>
      <div class="stack" key={page.name}>
        {page.sections.map((id) => {
          const [title, Section] = sections[id];
          return <Section key={id} id={id} title={title} />;
        })}
      </div>
    </Page>
  );
}
