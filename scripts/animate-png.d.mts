export interface PngChunk {
  type: string;
  data: Buffer;
  crc: number;
}
export function animatePng(frames: readonly { png: Buffer; milliseconds: number }[]): Buffer;
export function readChunks(png: Buffer): PngChunk[];
