// What a task of family beta leaves out of a request: fields that are not in the forwarding map, and what stands in the
// content list without being part of it (spec 2.5 rules 1, 2, 3 and 7).
import type { VideoRequest } from '../../neutral/video.ts';
import { droppedFields } from '../dropped-fields.ts';
import { metadataValue } from '../metadata-values.ts';
import { addressOf, type ContentItem, foreignPayloads } from './content-list.ts';
import { type Forwarded, forwardedNames, readFrame } from './forwarding-map.ts';

const TAKEN = new Set([...forwardedNames, 'content']);

export function droppedOf(request: VideoRequest, content: readonly ContentItem[], { duration }: Forwarded): string[] {
  const urls = content.flatMap((item) => addressOf(item) ?? []);
  const takesSize = readFrame(request) !== undefined;
  return [...droppedFields(request, { urls, duration, metadata: TAKEN, takesSize }), ...insideContent(request)];
}

function insideContent({ metadata, prompt }: VideoRequest): string[] {
  const stated = metadataValue(metadata, 'content');
  if (!Array.isArray(stated)) return [];
  return stated.flatMap((item: ContentItem, index) => {
    const path = `metadata.content[${index}]`;
    if (item.type === 'text') return item['text'] === prompt ? [] : [path];
    return foreignPayloads(item).map((name) => `${path}.${name}`);
  });
}
