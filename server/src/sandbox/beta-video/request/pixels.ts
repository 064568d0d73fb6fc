// Sizes in pixels, by resolution and ratio. https://www.volcengine.com/docs/82379/1520757
import type { Model } from '../models.ts';

type Size = readonly [width: number, height: number];
type Sizes = Readonly<Record<'16:9' | '4:3' | '1:1' | '21:9', Size>>;

const earlier: Readonly<Record<string, Sizes>> = {
  '480p': { '16:9': [864, 480], '4:3': [736, 544], '1:1': [640, 640], '21:9': [960, 416] },
  '720p': { '16:9': [1248, 704], '4:3': [1120, 832], '1:1': [960, 960], '21:9': [1504, 640] },
  '1080p': { '16:9': [1920, 1088], '4:3': [1664, 1248], '1:1': [1440, 1440], '21:9': [2176, 928] },
};
const later: Readonly<Record<string, Sizes>> = {
  '480p': { '16:9': [864, 496], '4:3': [752, 560], '1:1': [640, 640], '21:9': [992, 432] },
  '720p': { '16:9': [1280, 720], '4:3': [1112, 834], '1:1': [960, 960], '21:9': [1470, 630] },
  '1080p': { '16:9': [1920, 1080], '4:3': [1664, 1248], '1:1': [1440, 1440], '21:9': [2206, 946] },
  '4k': { '16:9': [3840, 2160], '4:3': [3326, 2494], '1:1': [2880, 2880], '21:9': [4398, 1886] },
};

/** Portrait ratios swap the numbers; a ratio that the model may choose is 16:9. */
export function choosePixels(
  { generation }: Model,
  resolution: string,
  ratio: string,
): { width: number; height: number; ratio: string } {
  const sizes = (generation === '1.0' ? earlier : later)[resolution] ?? later['720p'];
  const turned = { '9:16': '16:9', '3:4': '4:3' } as const;
  const isTurned = ratio === '9:16' || ratio === '3:4';
  const lying = isTurned ? turned[ratio] : ratio;
  const known = lying === '4:3' || lying === '1:1' || lying === '21:9' ? lying : '16:9';
  const [long, short] = sizes?.[known] ?? [1280, 720];
  const [width, height] = isTurned ? [short, long] : [long, short];
  return { width, height, ratio: isTurned ? ratio : known };
}
