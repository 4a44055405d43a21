import { useEffect } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { Page } from '#lib/apps/web/parts/page.tsx';
import { GroupsSection } from '#lib/apps/dashboard/settings/groups-section.tsx';
import { JoinSection } from '#lib/apps/dashboard/settings/join-section.tsx';
import { KeySection } from '#lib/apps/dashboard/settings/key-section.tsx';
import { OwnClicksSection } from '#lib/apps/dashboard/settings/own-clicks-section.tsx';
import { ProcessorSection } from '#lib/apps/dashboard/settings/processor-section.tsx';
import { ProgramSection } from '#lib/apps/dashboard/settings/program-section.tsx';
import { RulesSection } from '#lib/apps/dashboard/settings/rules-section.tsx';
import { WebhooksSection } from '#lib/apps/dashboard/settings/webhooks-section.tsx';
import { StatusSection } from '#lib/apps/dashboard/settings/status-section.tsx';
import type { Program } from '#lib/wire/program.ts';

/** As the sections below are called, in their order. */
const sectionsOf = ({ status }: Program) =>
  [
    ['program', 'Program'],
    ['groups', 'Groups of partners'],
    ['join', 'Partners'],
    ['rules', 'Rules for sales and signups'],
    ['own-clicks', 'Your own clicks'],
    ['api-key', 'API Key'],
    ['processor', 'Card processor'],
    ['webhooks', 'Webhooks'],
    ['status', status === 'paused' ? 'This program is paused' : 'Pause this program'],
  ] as const;

export function SettingsPage() {
  const { program } = useProgram();
  // The sections are drawn after the browser has looked for the one that the address names.
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <Page title="Settings">
      <nav class="on-this-page" aria-label="On this page">
        <span class="muted">On this page</span>
        {sectionsOf(program).map(([id, title]) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
      </nav>
      <div class="stack">
        <ProgramSection />
        <GroupsSection />
        <JoinSection />
        <RulesSection />
        <OwnClicksSection />
        <KeySection />
        <ProcessorSection />
        <WebhooksSection />
        <StatusSection />
      </div>
    </Page>
  );
}
