import { useRoute } from 'preact-iso';
import { useState } from 'preact/hooks';
import { commissionList } from '#lib/apps/dashboard/commissions/commission-list.tsx';
import { customerList } from '#lib/apps/dashboard/pages/traffic/customers.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Balance } from '#lib/apps/dashboard/partners/partner/balance.tsx';
import { Candidacy } from '#lib/apps/dashboard/partners/candidates/candidacy.tsx';
import { CandidateActions } from '#lib/apps/dashboard/partners/candidates/candidate-actions.tsx';
import { EditPartner } from '#lib/apps/dashboard/partners/edit-partner.tsx';
import { GrantCommission } from '#lib/apps/dashboard/partners/partner/grant-commission.tsx';
import { Latest } from '#lib/apps/dashboard/partners/partner/latest.tsx';
import { MailNotice } from '#lib/apps/dashboard/partners/candidates/mail-notice.tsx';
import { PartnerCodes } from '#lib/apps/dashboard/partners/partner/partner-codes.tsx';
import { PartnerIntro, RemovedNotice } from '#lib/apps/dashboard/partners/partner/partner-intro.tsx';
import { PartnerLinks } from '#lib/apps/dashboard/partners/partner/partner-links.tsx';
import { isCandidate } from '#lib/apps/dashboard/partners/partner-status.tsx';
import { PartnerStatusButton } from '#lib/apps/dashboard/partners/partner-status-button.tsx';
import { Terms } from '#lib/apps/dashboard/partners/terms.tsx';
import { ViewAsPartner } from '#lib/apps/dashboard/partners/view-as-partner.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { Unknown } from '#lib/apps/dashboard/parts/unknown.tsx';
import { WhenLoaded } from '#lib/apps/web/parts/table/when-loaded.tsx';
import { Figures } from '#lib/apps/dashboard/report/figures.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Partner } from '#lib/wire/partners/partner.ts';

export function PartnerPage() {
  const { partner_id: id = '' } = useRoute().params;
  return <OnePartner key={id} id={id} />;
}

/** Shows a partner, the partner's figures, and what is owed. Each part is loaded separately and may fail separately. */
function OnePartner({ id }: { readonly id: string }) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [isEditing, setEditing] = useState(false);
  const [grants, setGrants] = useState(0);
  const address = `${path}/partners/${encodeURIComponent(id)}`;
  const loading = useLoaded(() => api.get<Partner>(address), [api, address]);

  const all = <a href={programPath('partners', program.id)}>All partners</a>;
  if (loading.error?.status === 404) {
    return (
      <Unknown title="There is no such partner" name={''} ways={all}>
        The address may be mistyped, or the partner belongs to another program.
      </Unknown>
    );
  }
  const partner = loading.state === 'ready' ? loading.value : undefined;
  return (
    <Page
      title={partner?.name ?? 'Partner'}
      back={all}
      intro={partner && <PartnerIntro partner={partner} />}
      actions={
        partner && (
          <>
            {partner.email !== null && (
              <button type="button" class="button small" onClick={() => setEditing(true)}>
                Edit
              </button>
            )}
            <GrantCommission partner={partner} onGranted={() => setGrants((count) => count + 1)} />
            {isCandidate(partner) ? (
              <CandidateActions partner={partner} onChange={loading.replace} />
            ) : (
              <>
                <ViewAsPartner partner={partner} />
                <PartnerStatusButton partner={partner} onChange={loading.replace} />
              </>
            )}
          </>
        )
      }
    >
      <WhenLoaded of={loading} pending={null}>
        {(loaded) => loaded.status === 'removed' && <RemovedNotice partner={loaded} />}
      </WhenLoaded>
      {partner && <MailNotice partner={partner} />}
      {partner && <Candidacy partner={partner} />}
      <Figures of={address} />
      <div class="columns">
        <Balance key={grants} partnerId={id} partner={partner} />
        <Terms partner={partner} onChange={loading.replace} />
      </div>
      <PartnerLinks partnerId={id} canAdd={partner?.status === 'active'} />
      <PartnerCodes partnerId={id} canAdd={partner?.status === 'active'} />
      <Latest list={customerList(program.id)} page="customers" partnerId={id} />
      <Latest key={grants} list={commissionList(program)} page="commissions" partnerId={id} />
      {partner && isEditing && (
        <Dialog title="Edit partner" onClose={() => setEditing(false)}>
          <EditPartner partner={partner} onClose={() => setEditing(false)} onChange={loading.replace} />
        </Dialog>
      )}
    </Page>
  );
}
