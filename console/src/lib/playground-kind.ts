// Which part of the playground can send what an endpoint takes.
const kinds: [beginning: string, kind: string][] = [
  ['/v1/chat/completions', 'chat'],
  ['/v1/messages', 'chat'],
  ['/v1/responses', 'chat'],
  ['/v1/completions', 'chat'],
  ['/v1beta/models', 'chat'],
  ['/v2/chat', 'chat'],
  ['/v1/images/generations', 'image'],
  ['/v1/audio/speech', 'speech'],
  ['/v1/audio/transcriptions', 'transcription'],
  ['/v1/embeddings', 'embeddings'],
  ['/v1/rerank', 'rerank'],
  ['/v2/rerank', 'rerank'],
  ['/v1/video', 'video'],
];

/** undefined: none. */
export function playgroundKind(endpoint: string): string | undefined {
  return kinds.find(([beginning]) => endpoint.startsWith(beginning))?.[1];
}
