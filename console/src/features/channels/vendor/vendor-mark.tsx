// The mark of a vendor: its first letters on a tile of its colour, drawn here. Decoration: its name always stands beside it.
import { colorOf, isLight, letters } from './vendor-colors.ts';

export function VendorMark({ name, size = 32 }: { name: string; size?: number }) {
  const color = colorOf(name);
  const text = letters(name);
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false" className="vendor-mark">
      <rect width="32" height="32" rx="8" fill={color} />
      <text
        x="16"
        y="16"
        dy="0.36em"
        textAnchor="middle"
        fontSize={text.length > 1 ? 13 : 16}
        fontWeight="700"
        fontFamily="inherit"
        fill={isLight(color) ? '#10131a' : '#ffffff'}
      >
        {text}
      </text>
    </svg>
  );
}
