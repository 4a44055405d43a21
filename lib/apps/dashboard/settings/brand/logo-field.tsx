import { useId, useRef } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { useSession } from '#lib/apps/dashboard/session/session.ts';
import { ApiError } from '#lib/apps/web/api/api-error.ts';
import { useAction } from '#lib/apps/web/hooks/use-action.ts';
import { Failure } from '#lib/apps/web/parts/table/failure.tsx';
import type { Brand } from '#lib/wire/programs/brand/brand.ts';

/** The service's limit. A larger file is refused here, because API Gateway would refuse it without giving a reason. */
const MOST_BYTES = 204_800;
const LIMITS = 'PNG, JPEG or WebP, at most 200 KB and 4096 pixels a side.';

interface LogoFieldProps {
  readonly brand: Brand;
  readonly onChanged: (brand: Brand) => void;
}

/** The logo, which is uploaded as soon as it is chosen. */
export function LogoField({ brand: { logo }, onChanged }: LogoFieldProps) {
  const { api } = useSession();
  const { path } = useProgram();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const upload = useAction(async (file: File) => {
    if (file.size > MOST_BYTES) throw new ApiError(`This file is too large for a logo: ${LIMITS}`);
    onChanged(await api.upload<Brand>(`${path}/brand/logo`, file));
  });
  const remove = useAction(async () => onChanged(await api.send<Brand>('DELETE', `${path}/brand/logo`)));

  function chosen(): void {
    const file = input.current!.files?.[0];
    // Without this, the browser would report no change if the same file was chosen again.
    input.current!.value = '';
    if (file) upload.run(file);
  }
  const error = upload.error ?? remove.error;
  return (
    <div class="field">
      <label for={id}>Logo</label>
      <input
        ref={input}
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={`${id}-hint`}
        disabled={upload.isPending}
        onChange={chosen}
      />
      <p class="hint" id={`${id}-hint`} role="status">
        {upload.isPending ? 'One moment…' : logo ? `${logo.width} × ${logo.height} pixels.` : LIMITS}
      </p>
      {error && <Failure error={error} />}
      {logo && (
        <p>
          <button type="button" class="button small" aria-disabled={remove.isPending} onClick={remove.run}>
            Remove the logo
          </button>
        </p>
      )}
    </div>
  );
}
