import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { builtTarball, TARBALL } from '#infra/build/package.ts';
import type { ServedRoute } from '#infra/local/gateway/served-route.ts';

/**
 * Serves the npm package for brands. It is built at the first request, because building takes seconds and few runs need
 * the package.
 */
export function clientPackageRoute(): ServedRoute {
  let tarball: Promise<string> | undefined;
  return {
    method: 'GET',
    path: `/${TARBALL}`,
    handler: async () => {
      tarball ??= tarballInBase64();
      try {
        const headers = { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' };
        return { statusCode: 200, headers, body: await tarball, isBase64Encoded: true };
      } catch (error) {
        tarball = undefined;
        throw error;
      }
    },
  };
}

async function tarballInBase64(): Promise<string> {
  const folder = await builtTarball();
  const bytes = await readFile(join(folder, TARBALL));
  await rm(dirname(folder), { recursive: true });
  return bytes.toString('base64');
}
