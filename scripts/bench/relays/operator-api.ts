// How a fresh Tollgate is set up: where it is, and the models that the load asks for.
import { callOperator, type Gateway as Called } from './call-operator.ts';

export { callOperator, readText } from './call-operator.ts';

export interface Gateway extends Called {
  port: number;
  upstreamPort: number;
}

export async function putModel(gateway: Gateway, model: string): Promise<void> {
  await callOperator(gateway, 'PUT', `/models/${model}`, {
    endpoint_types: ['compat'],
    price: { unit: 'tokens', input: '2.5', output: '10' },
    owned_by: 'bench',
    enabled: true,
  });
}
