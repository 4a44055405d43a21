import { useState } from 'preact/hooks';
import { useProgram } from '#lib/apps/dashboard/program/current-program.ts';
import { sectionPath } from '#lib/apps/dashboard/settings/settings-pages.ts';
import { Field } from '#lib/apps/web/parts/forms/field.tsx';
import { originOf, originIsAllowed } from '#lib/apps/dashboard/setup/origin.ts';

/** Checks whether the service accepts clicks from a page. If not, the browser itself reports only a failed request. */
export function OriginCheck() {
  const { program } = useProgram();
  const [origin, setOrigin] = useState<string>();
  return (
    <>
      <Field
        name="page"
        label="Does your page's origin count?"
        placeholder={program.allowed_origins[0] ?? 'https://'}
        hint="Paste the address of a page with the script."
        onInput={(text) => setOrigin(originOf(text))}
      />
      {origin && (
        <p role="status" class={originIsAllowed(origin, program.allowed_origins) ? 'saved' : 'failure'}>
          {originIsAllowed(origin, program.allowed_origins) ? (
            `${origin} is allowed.`
          ) : (
            <>
              {origin} is not allowed: its clicks and signups fail in the browser. Add it to the allowed origins in the{' '}
              <a href={sectionPath(program.id, 'tracking')}>settings</a>.
            </>
          )}
        </p>
      )}
    </>
  );
}
