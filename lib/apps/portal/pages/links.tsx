import { useState } from 'preact/hooks';
import { countOf, countText } from '#lib/apps/web/format.ts';
import type { List } from '#lib/apps/web/lists/list.ts';
import { ListPage } from '#lib/apps/web/lists/list-page.tsx';
import { useList } from '#lib/apps/web/lists/use-list.ts';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';
import { CopyButton } from '#lib/apps/web/parts/forms/copy-button.tsx';
import { Dialog } from '#lib/apps/web/parts/forms/dialog.tsx';
import { Empty } from '#lib/apps/web/parts/table/empty.tsx';
import { useProgram } from '#lib/apps/portal/current-program.ts';
import { LinkSwitch } from '#lib/apps/web/parts/forms/link-switch.tsx';
import { NewLink } from '#lib/apps/portal/links/new-link.tsx';
import { ShareLink } from '#lib/apps/portal/links/share-link.tsx';
import { moneyColumns } from '#lib/apps/portal/parts/money-columns.tsx';
import type { PortalLink } from '#lib/wire/partners/partner.ts';
import type { PortalProgram } from '#lib/wire/partners/portal-program.ts';

/** Whether clicks on a link count for the partner. Only such a link is offered to copy and to share. */
const isCounted = ({ status }: PortalLink, program: PortalProgram): boolean =>
  status === 'active' && program.status === 'active';

const linkList = (program: PortalProgram): List<PortalLink> => ({
  name: 'links',
  title: 'Links',
  keyOf: ({ short_link: name }) => name,
  tableFrom: 900,
  columns: [
    {
      title: 'Link',
      cell: (link) => (
        <>
          <span class="link-line">
            <span class="strong">{link.short_link}</span>
            {link.status === 'inactive' && <Badge>Off</Badge>}
            {isCounted(link, program) && <CopyButton text={link.url} what={`link ${link.short_link}`} />}
          </span>
          <div class="muted link-url" title={link.url}>
            {link.url}
          </div>
          {link.switched_off_by && (
            <div class="muted">
              {link.switched_off_by === 'partner' ? 'You' : program.name} switched it off: its clicks are not counted.
            </div>
          )}
        </>
      ),
    },
    { title: 'Clicks', isNumber: true, cell: ({ clicks }) => countText(clicks) },
    { title: 'Signups', isNumber: true, cell: ({ leads }) => countText(leads) },
    { title: 'Sales', isNumber: true, cell: ({ sales }) => countText(sales) },
    ...moneyColumns,
  ],
  empty: (
    <Empty title="No links yet">
      <p>A link is an address of {program.domain} with your name in it. Whoever comes through it counts for you.</p>
    </Empty>
  ),
});

export function LinksPage() {
  const { program, api, path, mayChange: isPartner, mustAccept, reload } = useProgram();
  const list = useList(linkList(program), api, path);
  const { pages } = list;
  const [isAdding, setAdding] = useState(false);
  const [shared, setShared] = useState<PortalLink>();
  const { links_left: left } = program;
  // Links cannot be changed while terms must be accepted. A notice above leads to the terms.
  const mayChange = isPartner && !mustAccept;
  const canAdd = mayChange && left > 0;
  const addButton = canAdd && (
    <button type="button" class="button primary" onClick={() => setAdding(true)}>
      Make a link
    </button>
  );
  return (
    <>
      <ListPage
        of={list}
        intro={`Share them where you recommend ${program.name}. Revenue includes what was refunded later, and commission what was rejected later. ${
          mayChange
            ? left > 0
              ? `You can make ${countOf(left, 'more link')}.`
              : 'You have made as many as you can: switch one off to make another.'
            : ''
        }`}
        actions={addButton}
        rowActions={(link) => (
          <div class="row-actions stacked">
            {isCounted(link, program) && (
              <button
                type="button"
                class="button small"
                aria-label={`Share link ${link.short_link}`}
                onClick={() => setShared(link)}
              >
                Share
              </button>
            )}
            {mayChange && link.switched_off_by !== 'program' && (
              <LinkSwitch
                api={api}
                path={path}
                link={link}
                onChange={async (now) => {
                  pages.replace((one) => one.short_link === now.short_link, now);
                  // Loads the program again: how many links the partner can still create depends on how many are
                  // active.
                  await reload();
                }}
              />
            )}
          </div>
        )}
      />
      {isAdding && (
        <Dialog title="Make a link" onClose={() => setAdding(false)}>
          <NewLink
            onClose={() => setAdding(false)}
            onMade={async (link) => {
              await Promise.all([pages.reload(), reload()]);
              setAdding(false);
              // The list begins with the oldest links, so a new one may not be among the loaded rows.
              setShared(link);
            }}
          />
        </Dialog>
      )}
      {shared && <ShareLink link={shared} onClose={() => setShared(undefined)} />}
    </>
  );
}
