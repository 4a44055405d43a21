import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { ApiKey } from '#lib/apps/dashboard/parts/program/api-key.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { setupProgress } from '#lib/apps/dashboard/setup/setup-progress.ts';
import type { Readiness } from '#lib/wire/reports/readiness.ts';

export function KeySection(heading: SectionHeading) {
  const { api } = useSession();
  const { path } = useProgram();
  const readiness = useLoaded(() => api.get<Readiness>(`${path}/readiness`), [api, path]);
  return (
    <Section
      {...heading}
      intro="Your server sends it with signups, sales and refunds. It is valid only for this program."
    >
      <WhenLoaded of={readiness} what="API Key">
        {(loaded) => <ApiKey isFirst={!setupProgress(loaded).isDone.key} onGenerated={readiness.reload} />}
      </WhenLoaded>
    </Section>
  );
}
