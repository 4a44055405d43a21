import { useEffect } from 'preact/hooks';
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

export function SettingsPage() {
  // The sections are drawn after the browser has looked for the one that the address names.
  useEffect(() => {
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
  return (
    <Page title="Settings">
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
