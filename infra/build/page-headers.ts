/**
 * Headers of every page, in the local run and from CloudFront. They allow scripts, resources and frames only of the
 * page's own origin. They also forbid sending a referrer, because the URL of a page may contain the code and state of a
 * sign-in.
 * @param origins other origins that the page's scripts call, such as the issuer's
 */
export const pageHeaders = (origins: readonly string[] = []) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    ['connect-src', "'self'", ...origins].join(' '),
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
});
