import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { DownloadButton } from '#lib/apps/dashboard/payouts/files/download-button.tsx';
import { fileNameOf, formatOf, noFileReasons } from '#lib/apps/dashboard/payouts/files/file-formats.ts';
import { fileLines, type PayoutFile } from '#lib/apps/dashboard/payouts/files/file-lines.ts';
import { ChangeLines } from '#lib/apps/dashboard/payouts/lines/change-lines.tsx';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { programPath } from '#lib/apps/dashboard/static/page-paths.ts';
import { countText } from '#lib/apps/web/format.ts';
import { useLoaded } from '#lib/apps/web/hooks/use-loaded.ts';
import { Money } from '#lib/apps/web/parts/figures/money.tsx';
import { Table } from '#lib/apps/web/parts/table/table.tsx';
import type { PayoutFiles as Files } from '#lib/wire/earnings/payout-files.ts';
import type { Payout } from '#lib/wire/earnings/payout.ts';

/** Maximum number of lines without a file that one reply of the API contains. */
const MOST_WITHOUT_FILE = 100;

interface PayoutFilesProps {
  readonly payout: Payout;
  /** Called when lines were marked as sent. */
  readonly onChanged: () => void;
}

/** Lists the payment files of a payout for owners. Each has a button that marks the lines in the file as sent. */
export function PayoutFiles({ payout: { id, by_status: by }, onChanged }: PayoutFilesProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const [marked, setMarked] = useState<PayoutFile>();
  const own = `${path}/payouts/${id}`;
  const files = useLoaded(() => api.get<Files>(`${own}/files`), [api, own]);
  const shownOf = useRef(by.recorded.lines);
  // Until new files are loaded, the old ones stay visible, so that an open dialog stays open.
  useEffect(() => {
    if (shownOf.current !== by.recorded.lines) void files.reload();
    shownOf.current = by.recorded.lines;
  }, [by.recorded.lines]);
  if (files.state !== 'ready') return null;
  const { files: made, without_file: without } = files.value;
  const isExact = without.length < MOST_WITHOUT_FILE;
  const ofFiles = fileLines(api, own);
  return (
    <section class="no-print" aria-labelledby="files">
      <div class="section-header first">
        <h2 id="files">Files for your bank or processor</h2>
      </div>
      <div class="card table-card">
        {made.length > 0 && (
          <Table
            label="Files"
            rows={made}
            keyOf={({ format, currency }) => `${format} ${currency}`}
            columns={[
              {
                title: 'File',
                cell: (file) => (
                  <>
                    {formatOf(file.format).name}
                    {ofFiles.isDividedAnew(file) && (
                      <p class="hint">
                        This file was divided differently when you downloaded it. If you sent it, mark its lines as sent
                        before you download again. Otherwise you may pay them twice.
                      </p>
                    )}
                  </>
                ),
              },
              { title: 'Lines', isNumber: true, cell: ({ lines }) => countText(lines) },
              {
                title: 'Amount',
                isNumber: true,
                cell: ({ amount_cents: cents, currency }) => <Money cents={cents} currency={currency} />,
              },
              {
                title: 'Actions',
                isUntitled: true,
                cell: (file) => (
                  <div class="file-actions">
                    {Array.from({ length: file.parts }, (_, index) => index + 1).map((part) => (
                      <DownloadButton
                        isSmall
                        key={part}
                        text={file.parts > 1 ? `Download part ${part}` : 'Download'}
                        path={`${own}.${formatOf(file.format).ending}`}
                        query={{ currency: file.currency, part }}
                        fileName={fileNameOf(id, file.format, file.currency, part)}
                        onSaved={async (content) => {
                          await Promise.all([ofFiles.keep(file, part, content), files.reload()]);
                        }}
                      />
                    ))}
                    {(isExact || ofFiles.isDownloaded(file)) && (
                      <button
                        type="button"
                        class="button small"
                        aria-label={`Mark as sent… ${formatOf(file.format).name}, ${file.currency}`}
                        onClick={() => setMarked(file)}
                      >
                        Mark as sent…
                      </button>
                    )}
                  </div>
                ),
              },
            ]}
          />
        )}
        {without.length > 0 && <WithoutFile payoutId={id} lines={without} />}
        {made.length === 0 && without.length === 0 && <p class="hint table-note">Nothing is left to send.</p>}
      </div>
      {marked && (
        <ChangeLines
          path={`${own}/lines`}
          to="sent"
          subject={(task) => ofFiles.toMark(marked, task)}
          note={
            ofFiles.isDownloaded(marked)
              ? 'These are the lines of the file that you downloaded.'
              : 'You have not downloaded the file in this browser tab. Check that the file you sent has the same number of lines and the same sum.'
          }
          onClose={() => setMarked(undefined)}
          onChanged={onChanged}
        />
      )}
    </section>
  );
}

interface WithoutFileProps {
  readonly payoutId: number;
  readonly lines: Files['without_file'];
}

/** Lists the lines that are in none of the files, and why. The owner has to pay them in another way. */
function WithoutFile({ payoutId, lines }: WithoutFileProps) {
  const { program } = useProgram();
  return (
    <div class="table-note">
      <p class="muted">
        In no file{lines.length >= MOST_WITHOUT_FILE && `, the first ${countText(MOST_WITHOUT_FILE)}`}: pay these in
        another way, or void them.
      </p>
      <ul class="plain-list">
        {[...Map.groupBy(lines, ({ reason }) => reason)].map(([reason, own]) => (
          <li key={reason}>
            {noFileReasons[reason]}:{' '}
            {own.map(({ id }, index) => (
              <Fragment key={id}>
                {index > 0 && ', '}
                <a href={programPath('payoutLine', program.id, `${payoutId}-${id}`)}>
                  {payoutId}-{id}
                </a>
              </Fragment>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
