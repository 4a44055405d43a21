import { describe, expect, it } from 'vitest';
import { exportedReply } from '#lib/service/http/messages/exported-reply.ts';
import type { Exported } from '#lib/service/reports/exports/export-rows.ts';

const config = (bucket?: string) => ({ config: { exports: { bucket } } }) as never;
const route = {
  path: '/api/dashboard/v1/programs/1/commissions.csv',
  query: { status: 'paid', partner_id: undefined, bom: '1', other: 'x' },
  filters: ['status', 'partner_id', 'bom'],
};
const replied = (exported: Exported, { bucket, ...file }: { bucket?: string; type?: string } = {}) =>
  exportedReply(config(bucket), exported, { name: 'commissions.csv', ...file }, route).reply;

describe('the reply to a request for an export', () => {
  it.each([
    ['text/csv; charset=utf-8', undefined],
    ['application/json', 'application/json'],
  ])('is a file of the type %s if the export is small enough for a reply', (contentType, type) => {
    expect(replied({ text: 'id\r\n1\r\n' }, { type })).toEqual({
      statusCode: 200,
      headers: { 'Content-Type': contentType, 'Content-Disposition': 'attachment; filename="commissions.csv"' },
      text: 'id\r\n1\r\n',
    });
  });

  it.each([
    ['the bucket', 'files', '/exports/abc.csv'],
    ['a local run', undefined, '/local/exports/abc.csv'],
  ])('redirects to the finished file in %s', (_, bucket, location) => {
    expect(replied({ file: 'abc.csv' }, { bucket })).toEqual({ statusCode: 302, headers: { Location: location } });
  });

  it('redirects to the next part, with a cursor and the filters of the request', () => {
    expect(replied({ cursor: 'a&b' })).toEqual({
      statusCode: 302,
      headers: { Location: `${route.path}?cursor=a%26b&status=paid&bom=1` },
    });
  });

  it('redirects to the next part without filters if the export accepts none', () => {
    const { reply } = exportedReply(config(), { cursor: 'a' }, { name: 'x' }, { path: '/x.csv', query: { q: '1' } });
    expect(reply).toEqual({ statusCode: 302, headers: { Location: '/x.csv?cursor=a' } });
  });
});
