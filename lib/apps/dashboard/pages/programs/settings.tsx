import { useEffect } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { BrandSection } from '#lib/apps/dashboard/settings/brand/brand-section.tsx';
import { GroupsSection } from '#lib/apps/dashboard/settings/groups-section.tsx';
import { JoinSection } from '#lib/apps/dashboard/settings/join-section.tsx';
import { KeySection } from '#lib/apps/dashboard/settings/key-section.tsx';
import { OwnClicksSection } from '#lib/apps/dashboard/settings/own-clicks-section.tsx';
import { ProcessorSection } from '#lib/apps/dashboard/settings/processor-section.tsx';
import { ProgramSection } from '#lib/apps/dashboard/settings/program-section.tsx';
import { RulesSection } from '#lib/apps/dashboard/settings/rules-section.tsx';
import { WebhooksSection } from '#lib/apps/dashboard/settings/webhooks-section.tsx';
import { StatusSection } from '#lib/apps/dashboard/settings/status-section.tsx';
import type { Program } from '#lib/wire/programs/program.ts';

const sectionsOf = ({ status }: Program) =>
  [
    ['program', 'Program', ProgramSection],
    ['brand', 'Brand', BrandSection],
    ['groups', 'Groups of partners', GroupsSection],
    ['join', 'Partners', JoinSection],
    ['rules', 'Rules for sales and signups', RulesSection],
    ['own-clicks', 'Your own clicks', OwnClicksSection],
    ['api-key', 'API Key', KeySection],
    ['processor', 'Card processor', ProcessorSection],
    ['webhooks', 'Webhooks', WebhooksSection],
    ['status', status === 'paused' ? 'This program is paused' : 'Pause this program', StatusSection],
  ] as const;

export function SettingsPage() {
  const sections = sectionsOf(useProgram().program);
  // The page scrolls again, because the sections are drawn after the browser has looked for the section in the address.
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <Page title="Settings">
      <nav class="on-this-page" aria-label="On this page">
        <span class="muted">On this page</span>
        {sections.map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      <div class="stack">
        {sections.map(([id, title, Part]) => (
          <Part key={id} id={id} title={title} />
        ))}
      </div>
    </Page>
  );
}
