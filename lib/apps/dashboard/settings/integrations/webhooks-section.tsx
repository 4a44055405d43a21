import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

export function WebhooksSection(heading: SectionHeading) {
  const { program } = useProgram();
  return (
    <Section {...heading} intro="The service reports events of this program to your other systems.">
      <a class="button" href={programPath('webhooks', program.id)}>
        Webhook endpoints
      </a>
    </Section>
  );
}
