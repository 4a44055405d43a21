import { Invalid } from '#test/support/memory-table/errors.ts';

// Numbers as DynamoDB has them: decimal, up to 38 digits, from 1e-130 to just below 1e126.

const MOST_DIGITS = 38;
const HIGHEST_POWER = 125;
const LOWEST_POWER = -130;

/** A number: `digits` times ten to the power of `exponent`, without trailing zeros. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const SAFE = /^(?:0|-?[1-9]\d{0,14})$/;

/** Converts a number to the spelling in which the table stores it. @throws Invalid */
export const normalNumber = (text: string): string => (SAFE.test(text) ? text : textOf(decimalOf(text)));

export function addNumbers(a: string, b: string): string {
  if (SAFE.test(a) && SAFE.test(b)) return String(Number(a) + Number(b));
  const [[x, y], exponent] = aligned(decimalOf(a), decimalOf(b));
  return textOf(inRange(withoutZeros(x + y, exponent)));
}

export function compareNumbers(a: string, b: string): number {
  if (SAFE.test(a) && SAFE.test(b)) return Number(a) - Number(b);
  const [[x, y]] = aligned(decimalOf(a), decimalOf(b));
  return x < y ? -1 : Number(x > y);
}

/** Counts the significant digits of a number, of which DynamoDB stores two in a byte. */
export const digitsOf = (text: string): number => text.replace(/^-?0*\.?0*|\.|0+$/g, '').length;

function decimalOf(text: string): Decimal {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  const [, sign = '', whole = '', fraction = '', power = '0'] = parts ?? [];
  if (!parts || whole + fraction === '') {
    throw new Invalid('The parameter cannot be converted to a numeric value: ' + text);
  }
  const digits = BigInt(whole + fraction);
  return inRange(withoutZeros(sign === '-' ? -digits : digits, Number(power) - fraction.length));
}

function withoutZeros(digits: bigint, exponent: number): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const zeros = /0*$/.exec(String(digits))![0].length;
  return { digits: digits / 10n ** BigInt(zeros), exponent: exponent + zeros };
}

function inRange(decimal: Decimal): Decimal {
  const count = String(decimal.digits).replace('-', '').length;
  const power = count - 1 + decimal.exponent;
  if (decimal.digits === 0n) return decimal;
  if (power > HIGHEST_POWER) {
    throw new Invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (power < LOWEST_POWER) {
    throw new Invalid('Number underflow. Attempting to store a number with magnitude smaller than supported range');
  }
  if (count > MOST_DIGITS) throw new Invalid('Attempting to store more than 38 significant digits in a Number');
  return decimal;
}

function aligned(a: Decimal, b: Decimal): [[bigint, bigint], number] {
  const exponent = Math.min(a.exponent, b.exponent);
  const raised = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return [[raised(a), raised(b)], exponent];
}

function textOf({ digits, exponent }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const all = String(digits).replace('-', '');
  if (exponent >= 0) return sign + all + '0'.repeat(exponent);
  const padded = all.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}
