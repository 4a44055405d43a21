/** Maximum number that one request may change. */
const CHUNK = 100;

/** The service's answer about one of several objects. */
export interface Answered {
  readonly id: string | number;
  /** The present status; null if the object was not found, or after a failure. */
  readonly status: string | null;
  /** Why it was not changed. */
  readonly error: string | null;
}

/** Progress of a series of changes. */
export interface Progress<Answer extends Answered> {
  /** Number of objects that have the wanted status. */
  readonly done: number;
  /** Objects that the service refused to change, with its reasons. */
  readonly refused: readonly Answer[];
  /** Ids without a reply: the request was not sent, or its reply was lost. */
  readonly left: readonly Answer['id'][];
}

interface RunAllOptions<Answer extends Answered> {
  readonly send: (ids: readonly Answer['id'][]) => Promise<readonly Answer[]>;
  /** Whether the object has the wanted status. */
  readonly isDone: (answer: Answer) => boolean;
  /** Called after each request. */
  readonly onProgress: (progress: Progress<Answer>) => void;
  /** Stops after the current request. */
  readonly signal: AbortSignal;
}

/**
 * Changes the remaining objects in consecutive requests of 100. After an error it can continue with those that are
 * left; none is changed twice.
 * @throws ApiError
 */
export async function runAll<Answer extends Answered>(
  from: Progress<Answer>,
  { send, isDone, onProgress, signal }: RunAllOptions<Answer>,
): Promise<void> {
  let progress = from;
  while (progress.left.length > 0 && !signal.aborted) {
    const answers = await send(progress.left.slice(0, CHUNK));
    // If a reply was lost, the repeated change is refused although the first one succeeded. A row that has the wanted
    // status therefore counts as done.
    const refused = answers.filter((answer) => !isDone(answer));
    progress = {
      done: progress.done + answers.length - refused.length,
      refused: [...progress.refused, ...refused],
      left: progress.left.slice(CHUNK),
    };
    onProgress(progress);
  }
}

/** Adds objects that failed, or may have failed, to those that are still to do. */
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
