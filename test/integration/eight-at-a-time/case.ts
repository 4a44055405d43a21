import type { World } from '#test/support/programs/world.ts';

/** An action that eight callers run on one object in parallel. */
export interface EightAtATime {
  /** The use-case files whose retries it tests. */
  readonly uses: readonly string[];
  /** The expected number of callers per reply: a status, or the kind of a refusal without a request. */
  readonly answers: Readonly<Record<string, number>>;
  /** Creates the object. */
  readonly open: (world: World) => Promise<{
    /** @param at 0 to 7 @returns a reply, or the result of a use-case */
    readonly act: (at: number) => Promise<unknown>;
    /** The object's state afterwards. */
    readonly left: () => Promise<unknown>;
  }>;
  readonly left: unknown;
}

export const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7] as const;
