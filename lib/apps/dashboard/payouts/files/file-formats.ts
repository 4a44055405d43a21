import type { PayoutFiles } from '#lib/wire/earnings/payout-files.ts';
import type { PayoutLine } from '#lib/wire/earnings/payout-line.ts';

interface Format {
  readonly name: string;
  /** The last part of the file's path in the API, after the payout's path. */
  readonly ending: string;
  readonly method: NonNullable<PayoutLine['method']>;
  /** Which of the method's lines the file can contain. Default: all. */
  readonly holds?: (line: Pick<PayoutLine, 'masked'>) => boolean;
  /** Reads the numbers of the lines in a file. Undefined if the format does not contain them. */
  readonly numbersIn?: (content: string) => readonly string[];
}

const matches = (pattern: RegExp) => (content: string) =>
  Array.from(content.matchAll(pattern), ([, number]) => number!);

const isEmail = ({ masked }: Pick<PayoutLine, 'masked'>): boolean => masked?.includes('@') ?? false;

type FileFormat = PayoutFiles['files'][number]['format'];

/** The formats of payment files, which banks and payment services read. */
const fileFormats = {
  paypal: {
    name: 'PayPal payouts',
    ending: 'paypal.csv',
    method: 'paypal',
    numbersIn: matches(/,(\d+-\d+-[A-Z]{3}),[^\r\n]*,PAYPAL\r?$/gm),
  },
  wise: { name: 'Wise batch, by e-mail', ending: 'wise.csv', method: 'wise', holds: isEmail },
  'wise-iban': {
    name: 'Wise batch, by IBAN',
    ending: 'wise-iban.csv',
    method: 'wise',
    holds: (line) => !isEmail(line),
  },
  sepa: {
    name: 'SEPA transfer (pain.001)',
    ending: 'sepa.xml',
    method: 'bank',
    numbersIn: matches(/<EndToEndId>([^<]+)<\/EndToEndId>/g),
  },
} as const satisfies Readonly<Record<FileFormat, Format>>;

export const formatOf = (format: FileFormat): Format => fileFormats[format];

/** The name of a format; undefined if it is not one of these. */
export const fileFormatName = (format: unknown): string | undefined =>
  Object.entries(fileFormats).find(([name]) => name === format)?.[1].name;

/** Explains why a payout line is in none of the files. */
export const noFileReasons: Readonly<Record<PayoutFiles['without_file'][number]['reason'], string>> = {
  no_details: 'No payout details',
  held: 'Details were just changed',
  no_format: 'No file exists for this account',
  not_euro: 'Bank account, but not in euros',
  not_sepa: 'Bank outside SEPA',
  unsafe: 'Address starts like a formula',
  name: 'Name cannot be written',
  too_large: 'Amount too large for a file',
};

/** Returns the name of a file. @param part number of the part, from 1 */
export function fileNameOf(payoutId: number, format: FileFormat, currency: string, part: number): string {
  const ending = fileFormats[format].ending.split('.')[1];
  return `payout-${payoutId}-${format}-${currency}${part > 1 ? `-${part}` : ''}.${ending}`;
}
