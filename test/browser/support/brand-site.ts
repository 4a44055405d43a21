import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A brand's website: it shows the same page at every path, on every host name. */
export interface BrandSite {
  /** The contents of the page's head. */
  head: string;
  readonly url: (host: string, path?: string) => string;
  readonly close: () => void;
}

/** @param tls makes it an https site */
export async function startBrandSite(tls?: { key: string; cert: string }): Promise<BrandSite> {
  const answer: RequestListener = (request, response) => {
    const isPage = request.url !== '/favicon.ico';
    response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(isPage ? `<!doctype html><title>Brand</title><head>${site.head}</head><h1>Brand</h1>` : '');
  };
  const server = tls ? createHttpsServer(tls, answer) : createHttpServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const site: BrandSite = {
    head: '',
    url: (host, path = '/') => `${tls ? 'https' : 'http'}://${host}:${port}${path}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return site;
}
