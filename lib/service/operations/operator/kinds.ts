import * as z from 'zod/mini';
import { type AgentScope, agentScopes, mayBeOlderKey } from '#lib/service/ground/addresses/credential.ts';
import { emailOf } from '#lib/service/ground/addresses/email.ts';
import { isPlainText, numericIdOf } from '#lib/service/ground/values/identifier.ts';
import { nameOf } from '#lib/service/ground/values/name.ts';
import type { Kind } from '#lib/service/operations/operator/command.ts';

// The kinds of values that commands take as flags and arguments.

export const id: Kind<number> = { shown: '<id>', rule: 'must be a positive integer', read: numericIdOf };

export const name: Kind<string> = {
  shown: '<n>',
  rule: 'must have 1 to 120 characters, none of them a control character',
  read: nameOf,
};

export const scopes: Kind<AgentScope[]> = {
  shown: 'a,b',
  rule: `must be one or more of ${agentScopes.join(', ')}, separated by commas`,
  read(text) {
    const named = text.split(',').map((scope) => scope.trim());
    const known = named.map((one) => agentScopes.find((scope) => scope === one));
    return known.every((scope) => scope !== undefined) ? [...new Set(known)] : undefined;
  },
};

const IsoTime = z.iso.datetime({ offset: true });

export const time: Kind<Date> = {
  shown: '<ISO>',
  rule: 'must be an ISO 8601 time with offset such as 2026-12-01T00:00:00Z',
  read: (text) => (IsoTime.safeParse(text).success ? new Date(text) : undefined),
};

export const legacyKey: Kind<string> = {
  shown: '<value> (or --key-stdin)',
  rule: 'must have 16 to 255 visible ASCII characters and none of the prefixes aff_, agt_, lgn_',
  read: (text) => (mayBeOlderKey(text) ? text : undefined),
};

/** An e-mail address, trimmed and in lower case, as in accounts. */
export const email: Kind<string> = { shown: '<e>', rule: 'must be an e-mail address', read: emailOf };

/** An identifier issued by the service. @param shown placeholder in the usage */
export const identifier = (shown: string): Kind<string> => ({
  shown,
  rule: 'must have 1 to 255 characters, none of them a control character',
  read: (text) => (text.trim() !== '' && isPlainText(text) ? text.trim() : undefined),
});
