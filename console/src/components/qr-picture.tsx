// A QR code, dark on light in both themes: cameras do not read the other way round.
import { qrCode } from '../lib/qr-code.ts';

const QUIET = 4;

export function QrPicture({ text, label }: { text: string; label: string }) {
  const rows = qrCode(text);
  if (rows === undefined) return null;
  const size = rows.length + QUIET * 2;
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])));
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={200}
      height={200}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" rx={2} />
      <path d={path.join('')} fill="#000" />
    </svg>
  );
}
