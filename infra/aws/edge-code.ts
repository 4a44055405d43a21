import { edgeHeaders } from '#lib/service/config/edge-headers.ts';
import { exportFilePattern } from '#lib/domain/export-files.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';

// What runs at the edge, on each request. CloudFront functions are plain JavaScript without imports.

/** Replaces a header of the client: only the edge knows the connected address. */
export const tellAddress = `function handler(event) {
  event.request.headers['${edgeHeaders.address}'] = { value: event.viewer.ip };
  return event.request;
}`;

/** The object for all pages of the dashboard. */
export const pageObject = '/index.html';

const pagePattern = `^(?:${Object.values(pagePaths)
  .map((path) => path.replaceAll(/\{\w+\}/g, '[^/]+'))
  .join('|')})$`;

/** The service's reply to an unknown path. */
const notFound = { data: null, error: { status: 404, name: 'NotFoundError', message: 'Not Found', details: {} } };

const notFoundReply = `{
    statusCode: 404,
    statusDescription: 'Not Found',
    headers: {
      'content-type': { value: 'application/json; charset=utf-8' },
      'cache-control': { value: 'no-store' },
    },
    body: ${JSON.stringify(JSON.stringify(notFound))},
  }`;

/** The name of an exported file contains its expiry. */
export const showExport = `var file = new RegExp(${JSON.stringify(`^/exports/${exportFilePattern}$`)});
function handler(event) {
  var named = file.exec(event.request.uri);
  if (named && Number(named[1]) > Date.now() / 1000) return event.request;
  return ${notFoundReply};
}`;

/**
 * Pages of the dashboard are one file; what has an ending is a file of its own; there is nothing else. For an unknown
 * address a browser gets the dashboard's not-found page, a program the service's 404.
 */
export const showPage = `var page = new RegExp(${JSON.stringify(pagePattern)});
function handler(event) {
  var request = event.request;
  var accept = request.headers.accept;
  var isFile = /[.][^/]+$/.test(request.uri);
  var isBrowser = accept && accept.value.indexOf('text/html') >= 0;
  if (page.test(request.uri) || (isBrowser && !isFile)) request.uri = '${pageObject}';
  if (/[.][^/]+$/.test(request.uri)) return request;
  return ${notFoundReply};
}`;
