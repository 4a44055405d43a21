import * as z from 'zod/mini';
import type { Handler } from '#lib/service/http/messages/handler.ts';
import { routes } from '#infra/routes.ts';
import { type Header, type HeaderName, headers } from '#lib/wire/words/headers.ts';
import type { DocumentedReply } from '#lib/wire/document/operation.ts';
import { operations } from '#lib/wire/document/operations.ts';
import { loadedFunction } from '#test/support/servers/functions.ts';
import type { TestReply } from '#test/support/callers/request.ts';

const names = [...new Set(routes.map((route) => route.function))];
const found = new Map<Handler, string>();

/**
 * Finds the name of the function with this handler. Functions are imported one by one until it is found; those that a
 * test file uses are already imported.
 * @returns undefined for a handler without a route
 */
export async function functionOf(handler: Handler): Promise<string | undefined> {
  for (const name of names.slice(found.size)) {
    if (found.has(handler)) break;
    found.set((await loadedFunction(name)).handler as Handler, name);
  }
  return found.get(handler);
}

/** Lists the differences between a reply and what the OpenAPI document allows. */
export function problemsOf(name: string, { status, headers: sent, body }: TestReply): string[] {
  const documented = operations[name]?.replies[status];
  if (!documented) return [`status ${status} is not documented`];
  const fileType = documented.fileTypes?.find((type) => sent['Content-Type']?.split(';')[0] === type);
  const reply = typeof body === 'string' && fileType ? asFile(documented, fileType) : documented;
  return [...headerProblems(reply, sent), ...bodyProblems(reply, body)];
}

const asFile = (documented: DocumentedReply, contentType: string): DocumentedReply => ({
  ...documented,
  contentType,
  body: z.string(),
});

function bodyProblems({ body: schema }: DocumentedReply, body: unknown): string[] {
  if (!schema) return body === undefined ? [] : ['a body is not documented'];
  const parsed = schema.safeParse(body);
  return parsed.success ? [] : [JSON.stringify(parsed.error.issues)];
}

function headerProblems({ headers: documented, contentType }: DocumentedReply, sent: TestReply['headers']): string[] {
  const { 'Content-Type': sentType, ...others } = sent;
  const always = Object.keys(documented).filter((name) => documented[name as HeaderName] === 'always');
  return [
    ...(sentType?.split(';')[0] === contentType ? [] : [`content type ${sentType} instead of ${contentType}`]),
    ...always.filter((name) => !(name in others)).map((name) => `header ${name} is missing`),
    ...Object.entries(others).flatMap(([name, value]) => {
      if (!(name in documented)) return [`header ${name} is not documented`];
      return isOf(headers[name as HeaderName], value) ? [] : [`header ${name} is ${value}`];
    }),
  ];
}

const isOf = ({ schema }: Header, value: string): boolean =>
  schema.type === 'integer'
    ? /^\d+$/.test(value)
    : value === (schema.const ?? value) && new RegExp(schema.pattern ?? '').test(value);
