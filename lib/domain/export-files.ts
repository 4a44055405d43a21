/** A file on its way: its parts are sent one after the other. */
export interface Upload {
  readonly name: string;
  readonly uploadId: string;
  /** What the store answered to each part, in order. */
  readonly parts: readonly string[];
}

/** Where files are kept for a while that are too large for a reply. */
export interface ExportFiles {
  /** @param savedAs name under which a browser saves it */
  readonly begin: (name: string, savedAs: string) => Promise<Upload>;
  readonly append: (upload: Upload, text: string) => Promise<Upload>;
  /** From now on the file can be had. */
  readonly finish: (upload: Upload) => Promise<void>;
  /** Keeps what one request leaves to the next. */
  readonly keep: (id: string, state: object) => Promise<void>;
  readonly kept: (id: string) => Promise<unknown>;
}

/** How long a file can be had. */
const VALID_SECONDS = 30 * 60;

/** The time stands in the name, so that whoever serves the file need not ask anybody. The rest cannot be guessed. */
export const exportFileName = (now: Date, secret: string): string =>
  `${Math.floor(now.getTime() / 1000) + VALID_SECONDS}-${secret}.csv`;

export const exportFilePattern = String.raw`(\d{10})-[\w-]{43}[.]csv`;
