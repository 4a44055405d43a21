/** Headers that the document describes. */
export interface Header {
  readonly description: string;
  readonly schema: { readonly type: 'integer' | 'string'; readonly pattern?: string; readonly const?: string };
}

export type HeaderName = keyof typeof headers;

const integer = { type: 'integer' } as const;
const text = (pattern: string) => ({ type: 'string', pattern }) as const;
const always = (value: string) => ({ type: 'string', const: value }) as const;

export const headers = {
  'X-Request-ID': {
    description: 'The id of the request, new each time. Quote it when you ask for support.',
    schema: text('^[0-9a-f]{32}$'),
  },
  'Cache-Control': {
    description: 'Replies must not be cached, except for logos.',
    schema: text('^(no-store|public, max-age=300)$'),
  },
  ETag: { description: 'The hash of the file.', schema: text('^"[0-9a-f]{64}"$') },
  'X-Content-Type-Options': { description: 'Keeps browsers from guessing another type.', schema: always('nosniff') },
  'X-RateLimit-Limit': {
    description: 'The number of requests allowed per minute, for this group of operations.',
    schema: integer,
  },
  'X-RateLimit-Remaining': {
    description: 'The number of requests left in this minute, after this one.',
    schema: integer,
  },
  'X-RateLimit-Reset': { description: 'The end of the minute, in unix seconds.', schema: integer },
  'Retry-After': { description: 'The number of seconds to wait. Sent only with 429.', schema: integer },
  Deprecation: {
    description: 'When the key was marked for rotation (RFC 9745).',
    schema: text(String.raw`^@\d+$`),
  },
  Sunset: { description: 'When the key stops working (RFC 8594).', schema: text('GMT$') },
  Link: {
    description: 'A link to the explanation of the rotation (RFC 8288).',
    schema: text('^<.+#api_key_rotation_required>; rel="deprecation"$'),
  },
  Vary: { description: "The reply depends on the request's origin.", schema: always('Origin') },
  'Access-Control-Allow-Origin': {
    description: "The page's origin, if the program allows it.",
    schema: text('^https?://'),
  },
  'Access-Control-Expose-Headers': { description: 'The headers that the page may read.', schema: text('X-Request-ID') },
  'Access-Control-Allow-Methods': {
    description: 'The methods that the page may use.',
    schema: always('POST, OPTIONS'),
  },
  'Access-Control-Allow-Headers': {
    description: 'The headers that the page may send.',
    schema: always('Content-Type, Authorization'),
  },
  'Access-Control-Max-Age': { description: 'For how many seconds the browser may reuse this answer.', schema: integer },
  'Content-Disposition': { description: 'The file name for saving.', schema: text('^attachment; filename="') },
  'Content-Security-Policy': {
    description: 'Forbids the page to load anything.',
    schema: text("^default-src 'none';"),
  },
  'Referrer-Policy': {
    description: "Keeps the page's address out of the `Referer` header.",
    schema: always('no-referrer'),
  },
  Location: { description: 'The address to follow.', schema: text('^(https?:/)?/') },
  'Set-Cookie': {
    description: 'A cookie that ties the connection to this browser.',
    schema: text('^service_connect='),
  },
} as const satisfies Record<string, Header>;

export const countHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
export const rotationHeaders = ['Deprecation', 'Sunset', 'Link'] as const;
export const corsHeaders = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] as const;
