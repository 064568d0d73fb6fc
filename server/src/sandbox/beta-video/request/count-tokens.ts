// How many tokens a video is billed as: pixels times pictures, by the published formula.

export type Measures = { width: number; height: number; frames: number; inputSeconds: number; resolution: string };

const framesPerSecond = 24;
/** One token for so many pixels. */
const pixelsPerToken = 1024;

/** The picture beyond 24 a second is real: 720p, 16:9, 5 s is reported as 108,900 = 1280 x 720 x 121 / 1024. */
export function countFrames(seconds: number): number {
  return framesPerSecond * seconds + 1;
}

/** With video as input there is a least amount, which hangs on the length of the output. */
export function countTokens({ width, height, frames, inputSeconds, resolution }: Measures): number {
  const seconds = (frames - 1) / framesPerSecond;
  const least = resolution === '1080p' || resolution === '4k' ? seconds * 1.8 : Math.ceil((seconds * 5) / 3);
  const billed = inputSeconds === 0 ? frames : countFrames(Math.max(inputSeconds + seconds, least));
  return Math.floor((width * height * Math.round(billed)) / pixelsPerToken);
}
