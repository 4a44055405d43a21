import { edgeHeaders } from '#lib/service/ground/config/edge-headers.ts';
import { exportFilePattern } from '#lib/service/ground/values/export-files.ts';
import { pagePaths } from '#lib/apps/dashboard/static/page-paths.ts';
import { portalPaths } from '#lib/apps/portal/static/page-paths.ts';
import { PORTAL_ADDRESS } from '#lib/apps/web/static/entry-paths.ts';

// The source code of the CloudFront functions, which run on each request. It is plain JavaScript without imports.

/**
 * Sets the header with the visitor's address, which only CloudFront knows. A client may have sent the header itself, so
 * it is overwritten.
 */
export const addViewerAddress = `function handler(event) {
  event.request.headers['${edgeHeaders.address}'] = { value: event.viewer.ip };
  delete event.request.headers['${edgeHeaders.place}'];
  return event.request;
}`;

/** The S3 objects that contain the two applications. Every page path is answered with one of them. */
export const pageObjects = { dashboard: '/index.html', portal: '/partner.html' } as const;

const pagePattern = `^(?:${[...Object.values(pagePaths), ...Object.values(portalPaths)]
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

/** Serves an exported file until the expiry that its name contains; afterwards replies with 404. */
export const showExport = `var file = new RegExp(${JSON.stringify(`^/exports/${exportFilePattern}$`)});
function handler(event) {
  var named = file.exec(event.request.uri);
  if (named && Number(named[1]) > Date.now() / 1000) return event.request;
  return ${notFoundReply};
}`;

/**
 * Chooses the S3 object for a path. A page path is rewritten to the HTML file of its application. A path with an extension
 * is left as it is. For any other path, a browser gets the application's not-found page, and every other client gets
 * the service's 404.
 */
export const showPage = `var page = new RegExp(${JSON.stringify(pagePattern)});
var portal = new RegExp(${JSON.stringify(PORTAL_ADDRESS.source)});
function handler(event) {
  var request = event.request;
  var accept = request.headers.accept;
  var isFile = /[.][^/]+$/.test(request.uri);
  var isBrowser = accept && accept.value.indexOf('text/html') >= 0;
  if (page.test(request.uri) || (isBrowser && !isFile)) {
    request.uri = portal.test(request.uri) ? '${pageObjects.portal}' : '${pageObjects.dashboard}';
  }
  if (/[.][^/]+$/.test(request.uri)) return request;
  return ${notFoundReply};
}`;
