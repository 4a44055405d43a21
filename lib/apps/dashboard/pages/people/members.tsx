import { useState } from 'preact/hooks';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { FreezePayouts } from '#lib/apps/dashboard/members/freeze-payouts.tsx';
import { Invitations } from '#lib/apps/dashboard/members/invitations.tsx';
import { InviteMember } from '#lib/apps/dashboard/members/invite-member.tsx';
import { LeaveWorkspace } from '#lib/apps/dashboard/members/leave-workspace.tsx';
import { memberColumns } from '#lib/apps/dashboard/members/member-columns.tsx';
import { MemberActions } from '#lib/apps/dashboard/members/member-actions.tsx';
import { PayerSection } from '#lib/apps/dashboard/members/payer-section.tsx';
import { Devices } from '#lib/apps/web/parts/figures/devices.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { Page } from '#lib/apps/web/parts/frame/page.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Member } from '#lib/wire/people/people.ts';

export function MembersPage() {
  const session = useSession();
  const { api, workspace, isOwner } = session;
  const [isInviting, setInviting] = useState(false);
  const pages = usePages<Member>(api, '/workspace/members');
  const actions = {
    title: 'Actions',
    isUntitled: true,
    cell: (member: Member) => <MemberActions member={member} onChange={pages.reload} />,
  };
  return (
    <Page
      title="Members"
      intro={
        isOwner
          ? `Who works in ${workspace.name}. Members do everything but manage keys, payouts, the processor, members, and what decides what is paid: terms, rules and the addresses of partners.`
          : `Who works in ${workspace.name}. Owners manage this list.`
      }
      actions={
        <>
          <LeaveWorkspace />
          {isOwner && (
            <button type="button" class="button primary" onClick={() => setInviting(true)}>
              Invite
            </button>
          )}
        </>
      }
    >
      <Invitations session={session} />
      <div class="stack">
        <PagedTable
          label="Members"
          pages={pages}
          keyOf={({ email }) => email}
          columns={isOwner ? [...memberColumns, actions] : memberColumns}
          empty={<Empty title="No members" />}
        />
        <FreezePayouts />
        {isOwner && <PayerSection />}
        <Devices api={api} />
      </div>
      {isInviting && (
        <Dialog title="Invite a person" onClose={() => setInviting(false)}>
          <InviteMember onClose={() => setInviting(false)} onInvited={pages.reload} />
        </Dialog>
      )}
    </Page>
  );
}
