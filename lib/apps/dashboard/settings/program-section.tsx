import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { CommissionFields } from '#lib/apps/dashboard/parts/commission-fields.tsx';
import { Checkbox, Field, Select, TextArea } from '#lib/apps/dashboard/parts/field.tsx';
import { type Entered, Form } from '#lib/apps/dashboard/parts/form.tsx';
import { commissionIn, policyIn } from '#lib/apps/dashboard/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session.ts';
import { Section } from '#lib/apps/dashboard/settings/section.tsx';
import type { Program } from '#lib/wire/program.ts';

const leadPolicies = [
  ['server_required', 'Stay provisional until your server confirms them'],
  ['browser_allowed', 'Count at once'],
] as const;

/** All fields of the program; they are saved together. */
export function ProgramSection() {
  const { api, reload: reloadPrograms } = useSession();
  const { program, path, reload } = useProgram();
  const [isSaved, setSaved] = useState(false);

  async function save({ name, domain, ...entered }: Entered): Promise<void> {
    setSaved(false);
    await api.send<Program>('PATCH', path, { name, domain, ...commissionIn(entered), ...policyIn(entered) });
    await Promise.all([reload(), reloadPrograms()]);
    setSaved(true);
  }
  return (
    <Section
      id="program"
      title="Program"
      intro="A change of commission or window counts for new sales; commissions that exist stay as they are."
    >
      <Form submit="Save changes" onSubmit={save}>
        <Field name="name" label="Name" required maxLength={120} defaultValue={program.name} />
        <Field name="domain" label="Site" required defaultValue={program.domain} />
        <CommissionFields program={program} />
        <Field
          name="attribution_window_days"
          label="Attribution window"
          unit="days"
          inputMode="numeric"
          size={8}
          required
          hint="From the first click to the signup. Later, the click counts for nobody."
          defaultValue={String(program.attribution_window_days)}
        />
        <Select
          name="lead_auth"
          label="Signups from the browser"
          value={program.lead_auth}
          options={leadPolicies}
          hint="Anybody can send from a browser. Counted at once, a signup may claim any user id and any e-mail address, and the payments of that person with it."
        />
        <TextArea
          name="allowed_origins"
          label="Allowed origins"
          rows={4}
          hint="Sites whose pages may send clicks and signups, one per line, such as https://app.example.com. A * stands for subdomains."
          defaultValue={program.allowed_origins.join('\n')}
        />
        <Field
          name="hold_period_days"
          label="Hold"
          unit="days"
          inputMode="numeric"
          size={8}
          required
          hint="How long a commission waits for refunds."
          defaultValue={String(program.hold_period_days)}
        />
        <Checkbox
          name="auto_approve"
          label="Approve by itself when the hold is over"
          hint="Otherwise somebody approves each commission."
          defaultChecked={program.auto_approve}
        />
      </Form>
      {isSaved && (
        <p class="saved" role="status">
          Saved.
        </p>
      )}
    </Section>
  );
}
