import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { trafficIn } from '#lib/apps/dashboard/program/program-fields.ts';
import { ruleActionTexts, type RuleName, ruleTexts } from '#lib/apps/dashboard/rules/rule-texts.ts';
import { previewText } from '#lib/apps/dashboard/rules/preview-text.ts';
import type { RulesPreview } from '#lib/wire/programs/rules-preview.ts';
import type { Entered } from '#lib/apps/web/forms/entered.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { EditForm } from '#lib/apps/web/parts/forms/edit-form.tsx';
import { Field, Select, TextArea } from '#lib/apps/web/parts/forms/field.tsx';
import { OwnersFields } from '#lib/apps/dashboard/parts/program/owners-fields.tsx';
import { Section, type SectionHeading } from '#lib/apps/web/parts/frame/section.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';

const ruleNames = Object.keys(ruleTexts) as RuleName[];

const rulesIn = (entered: Entered) => ({
  rules: Object.fromEntries(ruleNames.map((name) => [name, entered[name]])),
  ...trafficIn(entered),
});

/** A form for the rules that are applied before commission is paid. A preview shows what each would have matched. */
export function RulesSection(heading: SectionHeading) {
  const { api, isOwner } = useSession();
  const { program, path, reload } = useProgram();
  const [preview, setPreview] = useState<RulesPreview>();
  const checking = useAction(async () => setPreview(await api.get<RulesPreview>(`${path}/rules`)));

  async function show(): Promise<void> {
    await reload();
    // The former preview is outdated, because the settings that the rules use may have changed.
    if (preview) checking.run();
  }
  return (
    <Section
      {...heading}
      intro="Checks before you pay. A flag is a note for you. A held commission is not paid out until you release it; its partner reads that it is in review, but not why. Rules apply to new sales and signups. Existing commissions do not change."
    >
      <p>
        <a href={`${programPath('commissions', program.id)}?status=held`}>Commissions held for review</a>
        {', '}
        <a href={`${programPath('commissions', program.id)}?flagged=true`}>flagged commissions</a>
      </p>
      <div class="stack">
        <p class="hint">
          Before you switch a rule on, check which commissions of the last 30 days it would match. The check uses the
          saved sites, campaigns and numbers: to try new ones, save them with the rule on “Do nothing” first, then
          check.
        </p>
        <p>
          <button type="button" class="button" aria-disabled={checking.isPending} onClick={checking.run}>
            {checking.isPending ? 'Checking…' : 'Check the last 30 days'}
          </button>
        </p>
        {checking.error && <Failure error={checking.error} />}
        {preview && !checking.isPending && <p role="status">Each rule below says what it matches.</p>}
      </div>
      <EditForm
        api={api}
        path={path}
        of={program}
        submit="Save rules"
        saysSaved
        isReadOnly={!isOwner}
        fieldsIn={rulesIn}
        inParts={['rules']}
        onSaved={show}
      >
        {(shown) => (
          <OwnersFields>
            {ruleNames.map((name) => (
              <div key={name} class="rule">
                <Select
                  name={name}
                  label={ruleTexts[name].title}
                  value={shown.rules[name]}
                  options={ruleActionTexts}
                  hint={`${ruleTexts[name].fits} ${ruleTexts[name].limits}`}
                />
                {preview && <p class="rule-preview">{previewText(preview, name)}</p>}
              </div>
            ))}
            <h3>What the rules compare with</h3>
            <TextArea
              name="banned_referrers"
              isList
              label="Banned sites"
              rows={4}
              hint="Sites from which partners may not send visitors, one per line, such as coupons.example. www.coupons.example is another site: enter both. *.coupons.example means every site below it, but not the site itself."
              defaultValue={shown.banned_referrers.join('\n')}
            />
            <TextArea
              name="paid_ad_allowed_campaigns"
              isList
              label="Campaigns that are allowed"
              rows={3}
              hint="Advertisements with one of these values as utm_campaign in their address do not count as paid. One per line."
              defaultValue={shown.paid_ad_allowed_campaigns.join('\n')}
            />
            <Field
              name="velocity_clicks"
              label="Networks in a minute"
              inputMode="numeric"
              size={8}
              required
              hint="10 to 100,000. The rule “Unusual speed” matches if first clicks on a link come from more networks within a minute."
              defaultValue={String(shown.velocity_clicks)}
            />
            <Field
              name="shared_click_payers"
              label="People who may pay with one click"
              inputMode="numeric"
              size={8}
              required
              hint="1 to 1,000. From the second on, commissions are flagged; above this number they are held for review. Families and colleagues share a computer, and with it a click."
              defaultValue={String(shown.shared_click_payers)}
            />
          </OwnersFields>
        )}
      </EditForm>
    </Section>
  );
}
