import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportFilePattern } from '#lib/service/ground/values/export-files.ts';
import { routeNotFound } from '#lib/service/ground/values/refusals.ts';
import { createHandler } from '#lib/service/http/messages/handler.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';

const named = new RegExp(`^${exportFilePattern}$`);

/** Serves exported files as CloudFront does on AWS: only until the expiry that a file's name contains. */
export const exportRoutes = (folder: string): ServedRoute[] => [
  {
    method: 'GET',
    path: '/local/exports/{name}',
    handler: createHandler({
      middlewares: [],
      errors: { failure: 'Request failed' },
      async run({ event, deps }) {
        const { name = '' } = event.pathParameters ?? {};
        const validUntil = Number(named.exec(name)?.[1] ?? 0);
        if (validUntil <= deps.now.getTime() / 1000) throw routeNotFound();
        const text = await readFile(join(folder, name), 'utf8').catch(() => {
          throw routeNotFound();
        });
        const headers = { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Disposition': 'attachment' };
        return { statusCode: 200, headers, text };
      },
    }),
  },
];
