// Bodies of calls to providers of videos: JSON, or a form of texts and files.
import { randomBytes } from 'node:crypto';
import type { VideoBody } from './video-provider.ts';

export function jsonBody(value: unknown): VideoBody {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) };
}

export interface FormFile {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** multipart/form-data, fields in the given order. */
export function formBody(fields: Readonly<Record<string, string | FormFile>>): VideoBody {
  const boundary = `form-${randomBytes(18).toString('hex')}`;
  const pieces = Object.entries(fields).flatMap(([name, value]) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`;
    if (typeof value === 'string') return [Buffer.from(`${head}\r\n\r\n${value}\r\n`)];
    const { fileName, contentType, bytes } = value;
    const file = `; filename="${quoted(fileName)}"\r\ncontent-type: ${oneLine(contentType)}\r\n\r\n`;
    return [Buffer.from(head + file), bytes, Buffer.from('\r\n')];
  });
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat(pieces) };
}

/** As browsers write names. */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, encodeURIComponent);
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ');
}
