import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Badge } from '#lib/apps/web/parts/figures/badge.tsx';

interface SetupStepProps {
  readonly title: string;
  readonly isDone: boolean;
  /** True for the next step to do. It is open. */
  readonly isNext: boolean;
  /** True if the content stays visible after the step is done, for example because it shows a new key. */
  readonly staysOpen?: boolean;
  /** True if the other steps do not need this one. */
  readonly isOptional?: boolean;
  readonly children: ComponentChildren;
}

/** One step of the setup. It opens when it becomes the next one to do; a person can open the others. */
export function SetupStep({ title, isDone, isNext, staysOpen, isOptional, children }: SetupStepProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isNext) details.current!.open = true;
    else if (!staysOpen) details.current!.open = false;
  }, [isNext, staysOpen]);

  return (
    <li class={`setup-step ${isDone ? 'done' : ''}`}>
      <details ref={details}>
        <summary>
          <span class="setup-mark" aria-hidden="true">
            {isDone ? '✓' : ''}
          </span>
          <span class="setup-title">{title}</span>
          <SetupState isDone={isDone} isNext={isNext} isOptional={isOptional} />
        </summary>
        <div class="setup-body">{children}</div>
      </details>
    </li>
  );
}

function SetupState({ isDone, isNext, isOptional }: Pick<SetupStepProps, 'isDone' | 'isNext' | 'isOptional'>) {
  if (isDone) return <Badge tone="good">Done</Badge>;
  if (isNext) return <Badge tone="waiting">Next</Badge>;
  return <Badge>{isOptional ? 'Optional' : 'To do'}</Badge>;
}
