// What the console asks of /operators.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { operator, type Operator, type OperatorPatch } from '#contract/operators.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export function useChangeOperator({ id, etag }: Operator) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: OperatorPatch) =>
      callApi('PATCH', `/operators/${encodeURIComponent(id)}`, { schema: operator, body, etag }),
    onSuccess: () => forget(client, '/operators'),
  });
}
