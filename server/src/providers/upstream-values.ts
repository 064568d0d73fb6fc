// Values in what upstreams answer, read tolerantly: what is not as expected counts as not said.
export type Answer = Readonly<Record<string, unknown>>;

const NOTHING: Answer = {};

/** undefined when the bytes are no JSON object. */
export function parseAnswer(body: Buffer): Answer | undefined {
  return parseText(body.toString('utf8'));
}

/** An object inside an answer, also when it came as JSON text; an empty one when there is none. */
export function objectIn(answer: Answer, name: string): Answer {
  const value = answer[name];
  if (typeof value === 'string') return parseText(value) ?? NOTHING;
  return isObject(value) ? value : NOTHING;
}

/** The objects of a list inside an answer; what else stands in it is an empty one. None when there is no list. */
export function objectsIn(answer: Answer, name: string): Answer[] {
  const list = answer[name];
  return Array.isArray(list) ? list.map((one: unknown) => objectIn({ one }, 'one')) : [];
}

/** The first of them; an empty one when there is none. */
export function firstIn(answer: Answer, name: string): Answer {
  return objectsIn(answer, name)[0] ?? NOTHING;
}

/** Of the answer to a submit whose id is under one name. */
export function idAt(name: string): (body: Buffer) => string | undefined {
  return (body) => textIn(parseAnswer(body) ?? NOTHING, name);
}

/** A text that says something. */
export function textIn(answer: Answer, name: string): string | undefined {
  const value = answer[name];
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** A count or a length: never below 0. */
export function amountIn(answer: Answer, name: string): number | undefined {
  const value = answer[name];
  const number = typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** An address that a video can be fetched from. */
export function addressIn(answer: Answer, name: string): string | undefined {
  const text = textIn(answer, name);
  return text !== undefined && /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined;
}

function parseText(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
