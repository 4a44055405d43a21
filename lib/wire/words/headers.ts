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
  'X-Request-ID': { description: 'New for every request. Quote it to ask for help.', schema: text('^[0-9a-f]{32}$') },
  'Cache-Control': { description: 'No answer may be kept.', schema: always('no-store') },
  'X-RateLimit-Limit': { description: 'Requests that the group allows in a minute.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in this minute, after this one.', schema: integer },
  'X-RateLimit-Reset': { description: 'End of the minute, in unix seconds.', schema: integer },
  'Retry-After': { description: 'Seconds to wait. Sent with 429 only.', schema: integer },
  Deprecation: {
    description: 'The key was marked for rotation at this time (RFC 9745).',
    schema: text(String.raw`^@\d+$`),
  },
  Sunset: { description: 'The key stops to work at this time (RFC 8594).', schema: text('GMT$') },
  Link: {
    description: 'Where the rotation is explained (RFC 8288).',
    schema: text('^<.+#api_key_rotation_required>; rel="deprecation"$'),
  },
  Vary: { description: 'The answer depends on who asks.', schema: always('Origin') },
  'Access-Control-Allow-Origin': {
    description: "The page's origin, when the program allows it.",
    schema: text('^https?://'),
  },
  'Access-Control-Expose-Headers': { description: 'What the page may read.', schema: text('X-Request-ID') },
  'Access-Control-Allow-Methods': { description: 'What the page may send.', schema: always('POST, OPTIONS') },
  'Access-Control-Allow-Headers': {
    description: 'What the page may send.',
    schema: always('Content-Type, Authorization'),
  },
  'Access-Control-Max-Age': { description: 'Seconds for which the page need not ask again.', schema: integer },
  'Content-Disposition': { description: 'A name to save the file under.', schema: text('^attachment; filename="') },
  'Content-Security-Policy': { description: 'What the page may load: nothing.', schema: text("^default-src 'none';") },
  'Referrer-Policy': { description: 'The address is told to nobody.', schema: always('no-referrer') },
  Location: { description: 'Where to go on.', schema: text('^(https?:/)?/') },
  'Set-Cookie': { description: 'Binds the connection to this browser.', schema: text('^service_connect=') },
} as const satisfies Record<string, Header>;

export const countHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;
export const rotationHeaders = ['Deprecation', 'Sunset', 'Link'] as const;
export const corsHeaders = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] as const;
