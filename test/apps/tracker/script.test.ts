import { runInNewContext } from 'node:vm';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { brandScript } from '#infra/build/site.ts';
import type { Tracker } from '#lib/apps/tracker/tracker.ts';
import { fakePage, settled } from '#test/apps/tracker/fake-page.ts';

// The served script in a separate window.

const MOST_BROTLI_BYTES = 1_720;
const MOST_GZIP_BYTES = 1_940;
const origin = 'https://ref.example.com';

let served: Awaited<ReturnType<typeof brandScript>>;

beforeAll(async () => {
  served = await brandScript('tracker.js');
});

interface Loading {
  /** The tag's attributes as in `dataset`; without it there is no current script. */
  readonly dataset?: Record<string, string>;
  readonly serviceQueue?: unknown[];
  readonly SERVICE_PROGRAM_ID?: number;
  readonly service?: unknown;
  readonly url?: string;
}

/** A window, and a function that loads the script into it. */
function windowWith({ dataset, url, ...globals }: Loading = { dataset: { serviceProgramId: '430' } }) {
  const page = fakePage({ url: url ?? 'https://www.brand.test/?aff=ana' });
  const currentScript = dataset ? { dataset, src: `${origin}/js/tracker.js` } : null;
  Object.defineProperty(page.document, 'currentScript', { value: currentScript });
  const window = Object.assign(page, globals) as typeof page & { service: Tracker; serviceQueue: unknown[] };
  const load = () =>
    runInNewContext(served.text, {
      window,
      document: window.document,
      location: window.location,
      console: window.console,
      URL,
      URLSearchParams,
    });
  return { window, load };
}

/** The window after the script is loaded. */
function loaded(loading?: Loading) {
  const { window, load } = windowWith(loading);
  load();
  return window;
}

const pathsOf = ({ posts }: ReturnType<typeof loaded>) => posts.map(({ url }) => url.replace(/^.*\/track\//, ''));

describe('the file tracker.js', () => {
  it('has at most 1,720 bytes compressed with brotli and 1,940 with gzip', () => {
    const brotli = brotliCompressSync(served.text).length;
    const gzip = gzipSync(served.text).length;
    console.info(`tracker.js: ${served.text.length} bytes, ${brotli} with brotli, ${gzip} with gzip`);
    expect(brotli).toBeLessThanOrEqual(MOST_BROTLI_BYTES);
    expect(gzip).toBeLessThanOrEqual(MOST_GZIP_BYTES);
  });

  it('can be loaded by pages of every origin, and cached for an hour', () => {
    expect({ ...served, text: '' }).toEqual({
      path: '/js/tracker.js',
      contentType: 'text/javascript; charset=utf-8',
      cacheControl: 'public, max-age=3600',
      headers: { 'Access-Control-Allow-Origin': '*' },
      text: '',
    });
  });

  it('adds only two global variables to the page', () => {
    const before = Object.keys(windowWith().window);
    expect(Object.keys(loaded()).filter((name) => !before.includes(name))).toEqual(['service', 'serviceQueue']);
  });
});

describe('the attributes of the tracker’s script tag', () => {
  it('contain the program id, and the script’s URL leads to the service', async () => {
    const { service, posts } = loaded();
    await settled();
    expect(service).toMatchObject({ programId: 430, debugMode: false, loaded: true });
    expect(posts.map(({ url }) => url)).toEqual([`${origin}/api/v1/track/click`]);
  });

  it('override the tracker’s defaults', async () => {
    const dataset = {
      serviceProgramId: '430',
      serviceApiBase: 'https://api.brand.test/ref',
      serviceCookieDomain: 'www.brand.test',
      serviceDebug: '',
      serviceKeepQuery: 'lang,plan',
    };
    const { service, posts, jar } = loaded({
      dataset,
      SERVICE_PROGRAM_ID: 7,
      url: 'https://www.brand.test/?aff=ana&plan=pro&x=1',
    });
    await settled();
    expect(posts[0]?.body.affiliate_url).toBe('https://www.brand.test/?aff=ana&plan=pro');
    expect(service).toMatchObject({ programId: 430, debugMode: true });
    expect(posts[0]?.url).toBe('https://api.brand.test/ref/api/v1/track/click');
    expect(jar.get('service_click_id')?.domain).toBe('www.brand.test');
  });

  it('can list query parameters, such as ref, that contain a link’s name as aff does', async () => {
    const dataset = { serviceProgramId: '430', serviceLinkParameters: 'via,ref' };
    const { posts } = loaded({ dataset, url: 'https://www.brand.test/?ref=ana' });
    await settled();
    expect(posts[0]?.body.affiliate_url).toBe('https://www.brand.test/?ref=ana&aff=ana');
  });

  it('need no program id if the page sets it in a variable', () => {
    expect(loaded({ dataset: {}, SERVICE_PROGRAM_ID: 7 }).service.programId).toBe(7);
  });

  it('turn on debug mode, unless the value is false', () => {
    expect(loaded({ dataset: { serviceDebug: 'true' } }).service.debugMode).toBe(true);
    expect(loaded({ dataset: { serviceDebug: 'false' } }).service.debugMode).toBe(false);
  });

  it('are ignored if the browser does not support currentScript, and the page can call init instead', async () => {
    const window = loaded({ serviceQueue: [['init', { programId: 430, apiBase: origin }]] });
    await settled();
    expect(window.posts.map(({ url }) => url)).toEqual([`${origin}/api/v1/track/click`]);
    expect(window.logged).toEqual([]);
  });

  it('cause only one click if the tag is on the page twice', async () => {
    const { window, load } = windowWith();
    load();
    const first = window.service;
    load();
    await settled();
    expect(window.service).toBe(first);
    expect(pathsOf(window)).toEqual(['click']);
  });

  it('work on a page that has an element with the id “service”', () => {
    expect(loaded({ service: { tagName: 'SECTION' } }).service.loaded).toBe(true);
  });
});

describe('the queue into which a page puts calls before the tracker’s script is loaded', () => {
  const dataset = { serviceProgramId: '430' };

  it('is processed in order, before the click is sent', async () => {
    const calls = [
      ['init', { programId: 7, debug: true }],
      ['signup', 'first'],
      ['trackLead', { user_id: 'second' }],
    ];
    const window = loaded({ dataset, serviceQueue: calls });
    await settled();
    expect(pathsOf(window)).toEqual(['click', 'lead', 'lead']);
    expect(window.posts.slice(1).map(({ body }) => [body.customer_key, body.program_id, body.click_id])).toEqual([
      ['first', 7, 'clk_1'],
      ['second', 7, 'clk_1'],
    ]);
  });

  it('runs later calls at once, also through a stored reference to the old queue', async () => {
    const queue: unknown[] = [];
    const window = loaded({ dataset, serviceQueue: queue });
    await settled();
    queue.push(['signup', 'first'], ['signup', 'second']);
    window.serviceQueue.push(['signup', 'third']);
    await settled();
    expect(window.posts.slice(1).map(({ body }) => body.customer_key)).toEqual(['first', 'second', 'third']);
  });

  it('accepts the arguments object of a function as a call', async () => {
    const window = loaded({ dataset, serviceQueue: [] });
    const snippet = `(function () { serviceQueue.push(arguments); })('signup', 'user_123')`;
    runInNewContext(snippet, { serviceQueue: window.serviceQueue });
    await settled();
    expect(pathsOf(window)).toEqual(['click', 'lead']);
  });

  it('skips invalid calls and logs a message', async () => {
    const window = loaded({ dataset, serviceQueue: [null, ['nothing'], [], ['signup', 'user_123']] });
    window.serviceQueue.push(7);
    await settled();
    expect(pathsOf(window)).toEqual(['click', 'lead']);
    expect(window.logged).toEqual(
      Array(4).fill(expect.stringMatching(/^error: \[Affiliate\] serviceQueue: TypeError/)),
    );
  });
});
