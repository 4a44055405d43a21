/** Maximum number of objects that one request may change. */
const CHUNK = 100;

/** What the service replied about one of several objects. */
export interface Answered {
  readonly id: string | number;
  /** The object's present status; null if the object was not found, or the change failed. */
  readonly status: string | null;
  /** Why the object was not changed; null if it was. */
  readonly error: string | null;
}

/** How far a change of many objects is. */
export interface Progress<Answer extends Answered> {
  /** Number of objects that have the wanted status. */
  readonly done: number;
  /** The service's replies about objects that it refused to change. */
  readonly refused: readonly Answer[];
  /** Ids of objects about which there is no reply: their request was not sent yet, or its reply was lost. */
  readonly left: readonly Answer['id'][];
}

interface RunAllOptions<Answer extends Answered> {
  readonly send: (ids: readonly Answer['id'][]) => Promise<readonly Answer[]>;
  /** Whether the object has the status that the change gives. */
  readonly isDone: (answer: Answer) => boolean;
  /** Called after each request. */
  readonly onProgress: (progress: Progress<Answer>) => void;
  /** If aborted, stops after the current request. */
  readonly signal: AbortSignal;
}

/**
 * Changes the objects that are left, in requests of at most 100. After an error it can be called again with the last
 * progress; no object is changed twice.
 * @throws ApiError
 */
export async function runAll<Answer extends Answered>(
  from: Progress<Answer>,
  { send, isDone, onProgress, signal }: RunAllOptions<Answer>,
): Promise<void> {
  let progress = from;
  while (progress.left.length > 0 && !signal.aborted) {
    const answers = await send(progress.left.slice(0, CHUNK));
    // The service refuses to change an object again. If the reply to the first change was lost, the object already has
    // the status that the change gives, so it counts as done.
    const refused = answers.filter((answer) => !isDone(answer));
    progress = {
      done: progress.done + answers.length - refused.length,
      refused: [...progress.refused, ...refused],
      left: progress.left.slice(CHUNK),
    };
    onProgress(progress);
  }
}

/** Moves refused objects for which a second attempt may succeed to `left`, so that they are sent again. */
export function withRefused<Answer extends Answered>(
  { done, refused, left }: Progress<Answer>,
  mayBecome: (answer: Answer) => boolean,
): Progress<Answer> {
  return {
    done,
    refused: refused.filter((one) => !mayBecome(one)),
    left: [...left, ...refused.filter(mayBecome).map(({ id }) => id)],
  };
}
