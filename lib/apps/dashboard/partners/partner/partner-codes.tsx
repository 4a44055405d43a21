import { useState } from 'preact/hooks';
import { CodeActions } from '#lib/apps/dashboard/codes/code-actions.tsx';
import { codeList } from '#lib/apps/dashboard/pages/programs/codes.tsx';
import { CodeForm } from '#lib/apps/dashboard/codes/code-form.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { usePages } from '#lib/apps/web/hooks/use-pages.ts';
import { tableColumns } from '#lib/apps/web/lists/list-page.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { PagedTable } from '#lib/apps/web/parts/table/paged-table.tsx';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import type { Code } from '#lib/wire/programs/codes/code.ts';

interface PartnerCodesProps {
  readonly partnerId: string;
  /** False for a removed partner, who gets no new codes. */
  readonly canAdd: boolean;
}

export function PartnerCodes({ partnerId, canAdd }: PartnerCodesProps) {
  const { api } = useSession();
  const { program, path } = useProgram();
  const [isAdding, setAdding] = useState(false);
  const pages = usePages<Code>(api, `${path}/codes`, { partner_id: partnerId });
  const replace = (now: Code) => pages.replace(({ code }) => code === now.code, now);
  return (
    <section aria-labelledby="codes">
      <div class="section-header">
        <h2 id="codes">Codes, all time</h2>
        <div class="page-actions">
          <a href={`${programPath('codes', program.id)}?partner_id=${partnerId}`}>All codes</a>
          {canAdd && (
            <button type="button" class="button" onClick={() => setAdding(true)}>
              Add code
            </button>
          )}
        </div>
      </div>
      <PagedTable
        label="Codes"
        pages={pages}
        keyOf={codeList.keyOf}
        columns={[
          ...tableColumns(codeList, 'Partner'),
          { title: 'Actions', isUntitled: true, cell: (code) => <CodeActions code={code} onChange={replace} /> },
        ]}
        empty={
          <Empty title="No codes yet">
            <p>A code brings sales where people come without a link.</p>
          </Empty>
        }
      />
      {isAdding && (
        <Dialog title="Add code" onClose={() => setAdding(false)}>
          <CodeForm partnerId={Number(partnerId)} onClose={() => setAdding(false)} onAdded={pages.reload} />
        </Dialog>
      )}
    </section>
  );
}
