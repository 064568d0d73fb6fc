// A part of a text request with the bytes of a file in the place of its id, in the words of the request's own protocol.
export interface InlineFile {
  filename: string;
  mediaType: string;
  bytes: Buffer;
}

type Part = Record<string, unknown>;

/** undefined where a file cannot stand in such a part: then the id is left as it is. */
export function inlinePart(part: Part, file: InlineFile): Part | undefined {
  const { type } = part;
  if (type === 'input_image') return { ...without(part, 'file_id'), image_url: dataUrl(file) };
  if (type === 'input_file')
    return isImage(file)
      ? { type: 'input_image', image_url: dataUrl(file) }
      : { ...without(part, 'file_id'), ...withName(part, file) };
  if (type === 'file' && isPart(part['file']))
    return isImage(file)
      ? { type: 'image_url', image_url: { url: dataUrl(file) } }
      : { ...part, file: { ...without(part['file'], 'file_id'), ...withName(part['file'], file) } };
  if (type === 'image_url' && isPart(part['image_url']))
    return { ...part, image_url: { ...without(part['image_url'], 'file_id'), url: dataUrl(file) } };
  if (isPart(part['source']) && part['source']['type'] === 'file') return { ...part, source: sourceOf(file) };
  return undefined;
}

function withName(names: Part, file: InlineFile): Part {
  return {
    filename: typeof names['filename'] === 'string' ? names['filename'] : file.filename,
    file_data: dataUrl(file),
  };
}

/** Texts are given as text: message-style upstreams take no other document but PDF as bytes. */
function sourceOf(file: InlineFile): Part {
  if (file.mediaType.startsWith('text/') || file.mediaType === 'application/json')
    return { type: 'text', media_type: 'text/plain', data: file.bytes.toString('utf8') };
  return { type: 'base64', media_type: file.mediaType, data: file.bytes.toString('base64') };
}

function dataUrl({ mediaType, bytes }: InlineFile): string {
  return `data:${mediaType};base64,${bytes.toString('base64')}`;
}

function isImage({ mediaType }: InlineFile): boolean {
  return mediaType.startsWith('image/');
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(part: Part, name: string): Part {
  const { [name]: _, ...rest } = part;
  return rest;
}
