/** An upload in progress. Its parts are sent one after the other. */
export interface Upload {
  readonly name: string;
  readonly uploadId: string;
  /** The store's answer to each part, in order. */
  readonly parts: readonly string[];
}

/** Temporary storage for files that are too large for a reply. */
export interface ExportFiles {
  /** Starts the upload of a file. @param savedAs file name that browsers suggest */
  readonly begin: (name: string, savedAs: string) => Promise<Upload>;
  readonly append: (upload: Upload, text: string) => Promise<Upload>;
  /** Makes the file available. */
  readonly finish: (upload: Upload) => Promise<void>;
  /** Stores state for the next request. */
  readonly keep: (id: string, state: object) => Promise<void>;
  readonly kept: (id: string) => Promise<unknown>;
}

/** Maximum size of a reply with a file, as JSON; a larger one goes to the storage, or is refused. Lambda's limit is 6 MB. */
export const MOST_REPLY_BYTES = 5_000_000;

/** How long a file can be downloaded. */
const VALID_SECONDS = 30 * 60;

/** The expiry is in the name, so that the file server needs no lookup. The other characters are random. */
export const exportFileName = (now: Date, secret: string): string =>
  `${Math.floor(now.getTime() / 1000) + VALID_SECONDS}-${secret}.csv`;

export const exportFilePattern = String.raw`(\d{10})-[\w-]{43}[.]csv`;
