import type { World } from '#test/support/programs/world.ts';

/** Something that eight do to one thing at the same moment. */
export interface EightAtATime {
  /** Files of the use-cases whose retries it tries. */
  readonly uses: readonly string[];
  /** How many get which answer: a status, or the kind of a refusal where there is no request. */
  readonly answers: Readonly<Record<string, number>>;
  /** Makes what they do it to. */
  readonly open: (world: World) => Promise<{
    /** @param at 0 to 7; what it returns is a reply, or what a use-case returns */
    readonly act: (at: number) => Promise<unknown>;
    /** What is there afterwards. */
    readonly left: () => Promise<unknown>;
  }>;
  readonly left: unknown;
}

export const EIGHT = [0, 1, 2, 3, 4, 5, 6, 7] as const;
