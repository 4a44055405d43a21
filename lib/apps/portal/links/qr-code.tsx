import encodeQR from 'qr';
import { useMemo } from 'preact/hooks';

/** Width of the white margin, in modules of the code. Readers need it to recognise the code. */
const BORDER = 4;

/** Draws a text as a QR code. @returns an SVG path */
function drawn(text: string) {
  const modules = encodeQR(text, 'raw', { border: BORDER, ecc: 'medium' });
  const path = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { size: modules.length, path };
}

export function qrFile(text: string): Blob {
  const { size, path } = drawn(text);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></svg>\n`;
  return new Blob([svg], { type: 'image/svg+xml' });
}

/** A QR code. It is dark on white in every colour scheme, because many readers recognise nothing else. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text]);
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
