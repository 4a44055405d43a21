import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { CommissionFields } from '#lib/apps/dashboard/parts/program/commission-fields.tsx';
import { Checkbox, Field } from '#lib/apps/web/parts/forms/field.tsx';
import { Form } from '#lib/apps/web/parts/forms/form.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { commissionIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Program } from '#lib/wire/programs/program.ts';

export function NewProgramPage() {
  const { api, programs, reload } = useSession();
  const { route } = useLocation();
  const [isWww, setWww] = useState(false);
  return (
    <Page
      title={programs.length === 0 ? 'Create your first program' : 'New program'}
      intro="A program pays partners for the customers they bring to one site. You can change all of it later, but for the sandbox."
    >
      <section class="card form-card">
        <Form
          submit="Create program"
          onSubmit={async ({ name, domain, sandbox, ...entered }) => {
            const fields = { name, domain, sandbox: sandbox === 'on', ...commissionIn(entered) };
            const { id } = await api.send<Program>('POST', '/programs', fields);
            await reload();
            route(programPath('setup', id));
          }}
        >
          <Field name="name" label="Name" hint="What partners know it as, such as Acme Pro." required maxLength={120} />
          <Field
            name="domain"
            label="Site"
            hint={
              <>
                The host name that referral links lead to, such as acme.com.{' '}
                <span role="status">{isWww && 'Leave out www. to allow your other subdomains too.'}</span>
              </>
            }
            required
            onInput={(domain) => setWww(/^\s*www\./i.test(domain))}
          />
          <CommissionFields />
          <Checkbox
            name="sandbox"
            label="Sandbox"
            hint="For rehearsals: Stripe’s test payments earn, live ones are not recorded, nothing is paid out, and partners get no mail. It stays a sandbox."
          />
        </Form>
      </section>
    </Page>
  );
}
