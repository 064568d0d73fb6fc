// The little of the operator API that sets a fresh Tollgate up: a call that must succeed, and a field of its answer.

export interface Place {
  port: number;
  operatorKey: string;
  upstreamPort: number;
}

export async function callOperator(place: Place, method: 'POST' | 'PUT', path: string, body: object): Promise<object> {
  const response = await fetch(`http://127.0.0.1:${place.port}/operator/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${place.operatorKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
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

export async function putModel(place: Place, model: string): Promise<void> {
  await callOperator(place, 'PUT', `/models/${model}`, {
    endpoint_types: ['compat'],
    price: { unit: 'tokens', input: '2.5', output: '10' },
    owned_by: 'bench',
    enabled: true,
  });
}
