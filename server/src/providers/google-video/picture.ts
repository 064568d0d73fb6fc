// Pictures as Google's APIs take them: bytes, or a file of its own storage. The engine has fetched what was a link.
export interface Picture {
  data?: string;
  uri?: string;
  mimeType: string;
}

const USUAL_TYPE = 'image/png';

export function pictureOf(address: string): Picture {
  const [, type, data] = /^data:([^;,]+)[^,]*;base64,(.+)$/is.exec(address) ?? [];
  if (type !== undefined && data !== undefined) return { data, mimeType: type };
  return { uri: address, mimeType: USUAL_TYPE };
}
