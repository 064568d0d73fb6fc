// A form as an attacker puts it together: every line of it can be said in any way.
export interface WirePart {
  headers: string[];
  value: Buffer;
}

export interface WireForm {
  /** Lines of the request's head; one of them unless doubled. */
  contentTypes: string[];
  body: Buffer;
}

export interface PartWords {
  name: string;
  value: string | Buffer;
  filename?: string;
  type?: string;
}

export function partOf({ name, value, filename, type }: PartWords): WirePart {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return {
    headers: [
      `Content-Disposition: form-data; name="${name}"${file}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
    ],
    value: Buffer.from(value as string),
  };
}

/** Headers are bytes, one for each character. */
export function bodyOf(boundary: string, parts: readonly WirePart[], ending = '--\r\n'): Buffer {
  const pieces: Buffer[] = [];
  for (const { headers, value } of parts) {
    const lines = headers.map((line) => `${line}\r\n`).join('');
    pieces.push(Buffer.from(`--${boundary}\r\n${lines}\r\n`, 'latin1'), value, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}${ending}`)]);
}
