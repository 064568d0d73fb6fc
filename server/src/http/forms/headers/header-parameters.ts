// Reads the parameters of a header (`; name=value; name="value"`) in one way only: what is malformed or doubled is refused
// and quoted, so that no second reading of a form exists.
import { invalidRequest } from '../../../errors/gateway-error.ts';

/** Every text matches in one way only, so that no header makes the search slow. */
const PARAMETER = /;[ \t]*([!#$%&'*+.^_`|~0-9a-z-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;",\\]+))[ \t]*(?=;|$)/iuy;
const QUOTED_LENGTH = 40;

export interface ParameterRules {
  /** The header in words, for the message: `The Content-Type of the request`. */
  header: string;
  /** Names with a star (RFC 2231) that are understood; all others are refused, as only some readers know them. */
  extended?: readonly string[];
}

/** Values of quoted parameters keep their backslashes. */
export function readParameters(
  text: string,
  from: number,
  { header, extended = [] }: ParameterRules,
): Map<string, string> {
  const values = new Map<string, string>();
  const parameter = new RegExp(PARAMETER);
  parameter.lastIndex = from;
  for (let at = from; at < text.length; at = parameter.lastIndex) {
    const match = parameter.exec(text);
    if (match === null) throw invalidRequest(`${header} is malformed at ${quoteStart(text.slice(at))}.`);
    const [, key = '', quoted, plain = ''] = match;
    const name = key.toLowerCase();
    if (name.includes('*') && !extended.includes(name))
      throw invalidRequest(`${header} has the parameter ${quoteStart(key)}, which is not supported.`);
    if (values.has(name)) throw invalidRequest(`${header} has the parameter ${quoteStart(name)} more than once.`);
    values.set(name, quoted ?? plain);
  }
  return values;
}

/** The beginning of a text, as it may stand in a message. */
export function quoteStart(text: string): string {
  return JSON.stringify(text.length > QUOTED_LENGTH ? `${text.slice(0, QUOTED_LENGTH)}...` : text);
}
