import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { countOf } from '#lib/apps/web/format.ts';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { EditTerms } from '#lib/apps/dashboard/partners/edit-terms.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { sourceText, termsText } from '#lib/apps/web/terms-texts.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

interface TermsProps {
  /** The partner; undefined while it is loaded. */
  readonly partner?: Partner;
  readonly onChange: (partner: Partner) => void;
}

/** Shows the terms of a partner, and whether they come from the program, a group or the partner. */
export function Terms({ partner, onChange }: TermsProps) {
  const { isOwner } = useSession();
  const { program } = useProgram();
  const [isEditing, setEditing] = useState(false);
  const terms = partner?.terms_in_force;
  return (
    <section class="card" aria-labelledby="terms">
      <div class="section-header first">
        <h2 id="terms">Terms</h2>
        {partner && isOwner && (
          <button type="button" class="button small" onClick={() => setEditing(true)}>
            Change terms
          </button>
        )}
      </div>
      {terms && (
        <dl class="facts">
          <dt>Commission</dt>
          <dd>
            {termsText(terms, program.currency)}
            {program.commission_base === 'excluding_tax' &&
              terms.commission_type.endsWith('percent') &&
              ', without tax'}
          </dd>
          <dt>Hold</dt>
          <dd>{countOf(terms.hold_period_days, 'day')}</dd>
          <dt>Group</dt>
          <dd>{partner.group_name ?? 'None'}</dd>
        </dl>
      )}
      <p class="hint">
        {terms && `From ${sourceText(terms)}. `}
        {!isOwner && 'A workspace owner changes them. '}
        <a href={sectionPath(program.id, 'terms')}>Settings</a>,{' '}
        <a href={sectionPath(program.id, 'versions')}>all versions</a>
      </p>
      {partner && isEditing && (
        <Dialog title="Change terms" onClose={() => setEditing(false)}>
          <EditTerms partner={partner} onClose={() => setEditing(false)} onChange={onChange} />
        </Dialog>
      )}
    </section>
  );
}
