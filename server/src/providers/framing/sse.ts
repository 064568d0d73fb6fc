// Server-sent events: what most upstreams stream in, and what every reader follows.
import type { UpstreamFraming } from './framing.ts';

export const sse: UpstreamFraming = { accept: 'text/event-stream', contentType: 'text/event-stream' };
