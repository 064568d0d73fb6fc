// What is said in a conversation with a text model, in the words of no provider. Every part knows its place in the
// caller's own request, so that what a target cannot express can be named in the caller's words.

export interface Message {
  /** `system` covers system and developer prompts, wherever they stand; `tool` holds results of tools only. */
  role: 'system' | 'user' | 'assistant' | 'tool';
  /** A system message that its caller marked as the developer's. */
  isDeveloper?: boolean;
  content: Part[];
  /** Of a user's message of which no part is known: the first one. */
  lost?: LostPart;
  path: string;
}

/** What cannot be sent, and why: `has the type "..."`. */
export interface LostPart {
  path: string;
  reason: string;
}

export type Part = TextPart | MediaPart | ToolCallPart | ToolResultPart | ReasoningPart | RefusalPart;

export interface TextPart extends Located {
  type: 'text';
  text: string;
  citations?: Citation[];
}

/** Something that is not text: an image, audio, a video or a document. */
export interface MediaPart extends Located {
  type: 'media';
  kind: 'image' | 'audio' | 'video' | 'file';
  source: MediaSource;
  filename?: string;
  /** How closely an image is to be looked at. */
  detail?: string;
  /** Title and context of a document, where its caller gave them. */
  title?: string;
}

export type MediaSource =
  | { by: 'url'; url: string; mediaType?: string }
  /** Base64 without any prefix. */
  | { by: 'data'; data: string; mediaType: string }
  | { by: 'text'; text: string; mediaType: string }
  /** An id that only the caller's own provider knows. */
  | { by: 'id'; id: string };

export interface ToolCallPart extends Located {
  type: 'tool-call';
  id: string;
  name: string;
  /** JSON text of an object. */
  arguments: string;
  /** In an answer, where the tool is a custom one: the text for it. `arguments` hold the same as JSON. */
  input?: string;
  signature?: Signature;
}

export interface ToolResultPart extends Located {
  type: 'tool-result';
  callId: string;
  /** The tool's name, where the caller gave it; writers that need it look it up among the calls. */
  name?: string;
  content: (TextPart | MediaPart)[];
  isError: boolean;
}

export interface ReasoningPart extends Located {
  type: 'reasoning';
  text: string;
  /** Proof of the provider that the text is its own; needed to go on with tools. */
  signature?: Signature;
  /** Reasoning that only its provider can read. */
  sealed?: Signature;
}

/** A picture that the model drew. */
export interface PicturePart extends Located, Picture {
  type: 'picture';
}

export interface Picture {
  /** Base64 without any prefix. */
  data: string;
  mediaType: string;
}

export interface RefusalPart extends Located {
  type: 'refusal';
  text: string;
}

/** Opaque to everybody but the upstream protocol that made it. */
export interface Signature {
  protocol: string;
  value: string;
}

export interface Citation {
  url?: string;
  title?: string;
  /** The text in the source. */
  quote?: string;
  /** Where in the answer's text it belongs, in characters. */
  start?: number;
  end?: number;
}

interface Located {
  path: string;
  /** The prompt up to here is worth being kept by the provider. */
  cacheMark?: CacheMark;
}

export interface CacheMark {
  /** Written as a breakpoint, which upstreams of the same family take as it is. */
  isBreakpoint?: true;
  /** As callers write it: `5m`, `1h`. */
  ttl?: string;
  path: string;
}
