import { useProgram } from '#lib/apps/dashboard/current-program.ts';
import { CommissionFields } from '#lib/apps/dashboard/parts/commission-fields.tsx';
import { Checkbox, Field, Select, TextArea } from '#lib/apps/web/parts/field.tsx';
import type { Entered } from '#lib/apps/web/entered.ts';
import { Form } from '#lib/apps/web/parts/form.tsx';
import { unitsOf } from '#lib/apps/web/format.ts';
import { OwnersFields } from '#lib/apps/dashboard/parts/owners-fields.tsx';
import { ExtraTermsFields, HoldField, TermsPreview } from '#lib/apps/dashboard/parts/terms-fields.tsx';
import {
  centsEntry,
  commissionIn,
  extraTermsIn,
  membersFieldsIn,
  policyIn,
} from '#lib/apps/dashboard/program-fields.ts';
import { useSession } from '#lib/apps/dashboard/session.ts';
import { Section, type SectionHeading } from '#lib/apps/web/parts/section.tsx';
import type { Program } from '#lib/wire/program.ts';

const leadPolicies = [
  ['server_required', 'Stay provisional until your server confirms them'],
  ['browser_allowed', 'Count at once'],
] as const;

const codePrecedences = [
  ['link_first', 'The link first'],
  ['code_first', 'The code first'],
] as const;

const termsApplications = [
  ['current', 'The terms of their time'],
  ['first_sale', 'The terms of the first sale'],
] as const;

/** All fields of the program; they are saved together. */
export function ProgramSection(heading: SectionHeading) {
  const { api, isOwner, reload: reloadPrograms } = useSession();
  const { program, path, reload } = useProgram();

  async function save(entered: Entered): Promise<void> {
    await api.send<Program>('PATCH', path, { ...membersFieldsIn(entered), ...(isOwner && ownersFieldsIn(entered)) });
    await Promise.all([reload(), reloadPrograms()]);
  }
  const ownersFieldsIn = (entered: Entered) => ({
    ...commissionIn(entered),
    ...policyIn(entered),
    terms_apply: entered.terms_apply,
    ...extraTermsIn(entered, entered.currency ?? program.currency),
  });
  return (
    <Section
      {...heading}
      intro="A change of commission, currency or window counts for new sales; commissions that exist stay as they are."
    >
      <Form submit="Save changes" onSubmit={save} saysSaved>
        <Field name="name" label="Name" required maxLength={120} defaultValue={program.name} />
        <Field name="domain" label="Site" required defaultValue={program.domain} />
        <TextArea
          name="allowed_origins"
          label="Allowed origins"
          rows={4}
          hint="Sites whose pages may send clicks and signups, one per line, such as https://app.example.com. A * stands for subdomains."
          defaultValue={program.allowed_origins.join('\n')}
        />
        <OwnersFields>
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
            hint="Anybody can send from a browser. Counted at once, a signup may claim any user id and any e-mail address, and the payments of that person with it. Then no terms of the program may pay for leads."
          />
          <Select
            name="code_precedence"
            label="Payments with a coupon code"
            value={program.code_precedence}
            options={codePrecedences}
            hint="The link first: a code brings a sale only where no click, e-mail or user id finds a customer. The code first: its partner gets the sale also where somebody came through another partner's link. Either way, a customer who has bought stays with their partner."
          />
          <h3>What partners earn</h3>
          <CommissionFields of={program} />
          <ExtraTermsFields terms={program} currency={program.currency} />
          <Select
            name="terms_apply"
            label="Renewals are paid by"
            value={program.terms_apply}
            options={termsApplications}
            hint="A customer's renewals follow a change of terms, or stay with those of the first sale."
          />
          <HoldField days={program.hold_period_days} />
          <Checkbox
            name="auto_approve"
            label="Approve by itself when the hold is over"
            hint="Otherwise somebody approves each commission."
            defaultChecked={program.auto_approve}
          />
          <Field
            name="minimum_payout_cents"
            label="Minimum payout"
            unit={program.currency}
            inputMode="decimal"
            size={10}
            hint="What is due to a partner in this currency waits until it is this much. Empty: everything is paid."
            defaultValue={centsEntry(program.minimum_payout_cents, program.currency)}
          />
          <Field
            name="member_approval_cents"
            label="Members approve up to"
            unit={program.currency}
            inputMode="decimal"
            size={10}
            hint="Of one commission, in its own currency; above it an owner approves or releases. Empty: any sum."
            defaultValue={
              program.member_approval_cents === null
                ? ''
                : String(unitsOf(program.member_approval_cents, program.currency))
            }
          />
          <TermsPreview currency={program.currency} who="A partner" source="the terms of the program" />
        </OwnersFields>
      </Form>
    </Section>
  );
}
