// Fields of an answer by their place: those of its outermost object, or of the one object inside that names the answer. A
// field of the same name inside of what a model wrote for a tool, or of what a client sent, is none of them.

/** Strings, braces, and beginnings of events; brackets do not count. A string that was cut off goes to the end, in one step. */
const TOKENS = /"(?:[^"\\]|\\.)*"?|[{}]|(?:^|\n)data:/gs;
const VALUE = /\s*:\s*(?:"([^"\\]{1,200})")?/y;

/** Whether text can be JSON, or events that hold JSON. */
const STRUCTURED = /^\s*(?:[{[]|(?:data|event|id|:)[: ])/;

export interface AnswerField {
  /** Name of the object that it is in; '' = the outermost. */
  parent: string;
  name: string;
  value: string;
}

/** Texts of the first two levels of every object in a text that begins where an object or event does. */
export function answerFields(text: string): AnswerField[] {
  if (!STRUCTURED.test(text)) return [];
  const fields: AnswerField[] = [];
  let depth = 0;
  let key = '';
  let parent = '';
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    if (token === '{') {
      depth++;
      if (depth === 2) parent = key;
    } else if (token === '}') depth--;
    else if (!token.startsWith('"')) depth = 0;
    else if (depth === 1 || depth === 2) {
      VALUE.lastIndex = index + token.length;
      const found = VALUE.exec(text);
      if (found === null) continue; // a value, not a name
      const name = token.slice(1, -1);
      if (depth === 1) key = name;
      if (found[1] !== undefined) fields.push({ parent: depth === 1 ? '' : parent, name, value: found[1] });
    }
  }
  return fields;
}
