// A QR code, dark on light in both themes: cameras do not read the other way round.
import { encode } from 'uqr';

const QUIET = 4;

export function QrPicture({ text, label }: { text: string; label: string }) {
  const { data: rows, size } = encode(text, { ecc: 'M', border: QUIET });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
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
