import { useSession } from '#lib/apps/dashboard/session/session.ts';
import type { Query } from '#lib/apps/web/api/api.ts';
import { saveFile } from '#lib/apps/web/api/save-file.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';

interface DownloadButtonProps {
  readonly text: string;
  readonly path: string;
  readonly query: Query;
  readonly fileName: string;
  readonly isSmall?: boolean;
  /** Called with the file's content when it was saved. */
  readonly onSaved?: (content: Blob) => Promise<void>;
}

/** A button that loads a file from the service and saves it. */
export function DownloadButton({ text, path, query, fileName, isSmall, onSaved }: DownloadButtonProps) {
  const { api } = useSession();
  const save = useAction(async () => {
    const content = await api.download(path, query);
    saveFile(content, fileName);
    await onSaved?.(content);
  });
  return (
    <>
      <button
        type="button"
        class={isSmall ? 'button small' : 'button'}
        aria-label={`${text}: ${fileName}`}
        aria-disabled={save.isPending}
        onClick={save.run}
      >
        {save.isPending ? 'Downloading…' : text}
      </button>
      {save.error && <Failure error={save.error} />}
    </>
  );
}
