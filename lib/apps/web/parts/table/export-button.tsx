import { useEffect, useRef, useState } from 'preact/hooks';
import { countText } from '#lib/apps/web/format.ts';
import { type Exported, MOST_ROWS, type Task } from '#lib/apps/web/api/gather-rows.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import { saveFile } from '#lib/apps/web/api/save-file.ts';

/** From this mark at the beginning of a file, Excel recognizes that the encoding is UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

interface ExportButtonProps {
  readonly fileName: string;
  /** Creates the file with all rows of the shown list. @throws ApiError */
  readonly make: (task: Task) => Promise<Exported>;
}

/** A button that saves a list as a file. If the person leaves the page, the task is stopped. */
export function ExportButton({ fileName, make }: ExportButtonProps) {
  const [count, setCount] = useState(0);
  const [isCut, setCut] = useState(false);
  const leaving = useRef(new AbortController());
  useEffect(() => () => leaving.current.abort(), []);

  const save = useAction(async (isForExcel: boolean) => {
    const { signal } = leaving.current;
    setCount(0);
    setCut(false);
    const { content, isWhole } = await make({ onCount: setCount, signal });
    if (signal.aborted) return;
    saveFile(isForExcel ? new Blob([BYTE_ORDER_MARK, content], { type: content.type }) : content, fileName);
    setCut(!isWhole);
  });
  return (
    <>
      <button type="button" class="button" aria-disabled={save.isPending} onClick={() => save.run(false)}>
        {save.isPending ? `Exporting…${count > 0 ? ` ${countText(count)} rows` : ''}` : 'Export CSV'}
      </button>
      <button
        type="button"
        class="button"
        title="The same file with a mark by which Excel reads letters such as é"
        aria-disabled={save.isPending}
        onClick={() => save.run(true)}
      >
        CSV for Excel
      </button>
      {isCut && (
        <p class="page-note" role="status">
          The file holds the first {countText(MOST_ROWS)} rows. Filter further to export the others.
        </p>
      )}
      {save.error && <Failure error={save.error} />}
    </>
  );
}
