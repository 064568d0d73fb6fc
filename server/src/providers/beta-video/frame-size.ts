// Pixels of one frame by resolution and ratio, the larger of what the generations of family beta make; portrait ratios
// have as many as landscape ones.
const pixels: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '480p': { '16:9': 864 * 496, '4:3': 752 * 560, '1:1': 640 * 640, '21:9': 992 * 432 },
  '720p': { '16:9': 1280 * 720, '4:3': 1120 * 832, '1:1': 960 * 960, '21:9': 1504 * 640 },
  '1080p': { '16:9': 1920 * 1088, '4:3': 1664 * 1248, '1:1': 1440 * 1440, '21:9': 2206 * 946 },
  // Named by the spec; no upstream is known that makes it.
  '2k': { '16:9': 2560 * 1440 },
  '4k': { '16:9': 3840 * 2160, '4:3': 3326 * 2494, '1:1': 2880 * 2880, '21:9': 4398 * 1886 },
};

const LANDSCAPE: Readonly<Record<string, string>> = { '9:16': '16:9', '3:4': '4:3' };

/** The largest of the resolution where the ratio is not known beforehand; undefined for an unknown resolution. */
export function framePixels(resolution: string, ratio: string | undefined): number | undefined {
  const name = resolution.trim().toLowerCase();
  const sizes = Object.hasOwn(pixels, name) ? pixels[name] : undefined;
  if (sizes === undefined) return undefined;
  const landscape = LANDSCAPE[ratio ?? ''] ?? ratio ?? '';
  return (Object.hasOwn(sizes, landscape) ? sizes[landscape] : undefined) ?? Math.max(...Object.values(sizes));
}
