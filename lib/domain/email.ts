import { createHmac } from 'node:crypto';
import { isPlainText } from '#lib/domain/identifier.ts';

const LONGEST_CHARACTERS = 320;

/** What is kept of a customer's address: enough to match it again and to recognise it, not to write to it. */
export interface EmailTrace {
  readonly hash: string;
  readonly masked: string;
}

/** The normalized address for comparison; undefined when it cannot be an address. */
export function emailOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > LONGEST_CHARACTERS || !value.includes('@')) return undefined;
  return value.trim().toLowerCase().toWellFormed();
}

const ADDRESS = /^[^\s@,;<>()[\]"\\]+@[^\s@,;<>()[\]"\\]+\.[^\s@,;<>()[\]"\\]+$/;

/** A contact address: trimmed, lower-cased; undefined when it is obviously not one. */
export function addressOf(value: string): string | undefined {
  const address = value.trim().toLowerCase();
  return address.length <= LONGEST_CHARACTERS && ADDRESS.test(address) && isPlainText(address) ? address : undefined;
}

/** @param salt the program's own random salt, so that hashes of two programs cannot be joined */
export function traceEmail(email: string, salt: string): EmailTrace {
  const at = email.lastIndexOf('@');
  const [first = ''] = email.slice(0, at);
  return { hash: createHmac('sha256', salt).update(email).digest('hex'), masked: `${first}***${email.slice(at)}` };
}
