// Ten shades of one colour, lightest first, and texts of it that stay readable on light and dark pages (WCAG 2: 4.5 to 1).
type Rgb = [red: number, green: number, blue: number];

const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
/** Share of white in the shades before the colour itself, and of black in those after it. */
const LIGHTER = [0.93, 0.84, 0.68, 0.5, 0.34, 0.14];
const DARKER = [0.14, 0.28, 0.42];

export function shadesOf(color: string): string[] {
  const own = parse(color);
  return [
    ...LIGHTER.map((share) => write(mix(own, WHITE, share))),
    color,
    ...DARKER.map((share) => write(mix(own, BLACK, share))),
  ];
}

/** The colour, darker or lighter until it is at least `least` to 1 against the ground. */
export function readableOn(ground: string, color: string, least: number): string {
  const own = parse(color);
  const toward = luminance(parse(ground)) > 0.18 ? BLACK : WHITE;
  for (let share = 0; share < 1; share += 0.05) {
    const shade = write(mix(own, toward, share));
    if (contrast(shade, ground) >= least) return shade;
  }
  return write(toward);
}

export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(parse(one)), luminance(parse(other))].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function parse(color: string): Rgb {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

function write(color: Rgb): string {
  return `#${color.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

function mix([red, green, blue]: Rgb, other: Rgb, share: number): Rgb {
  const at = (own: number, theirs: number) => own + (theirs - own) * share;
  return [at(red, other[0]), at(green, other[1]), at(blue, other[2])];
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const part = channel / 255;
    return part <= 0.039_28 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
