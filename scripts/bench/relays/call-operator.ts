// Calls to the operator API of a gateway that is being set up or asked for its books.
export interface Gateway {
  address: string;
  operatorKey: string;
}

export async function callOperator(
  gateway: Gateway,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: object,
): Promise<object> {
  const response = await fetch(`${gateway.address}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${gateway.operatorKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} /operator/v1${path} answered ${response.status}: ${text.slice(0, 500)}`);
  const answer: unknown = text === '' ? {} : JSON.parse(text);
  return typeof answer === 'object' && answer !== null ? answer : {};
}

export function readText(answer: object, field: string): string {
  const value = new Map<string, unknown>(Object.entries(answer)).get(field);
  if (typeof value !== 'string') throw new Error(`an operator answer has no "${field}"`);
  return value;
}
