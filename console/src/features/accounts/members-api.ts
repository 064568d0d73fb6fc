// What the console asks of the members of an account.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { type Member, member, memberInvited, type MemberPatch } from '#contract/members.ts';
import { gatewayUrl } from '../../lib/addresses.ts';
import { callApi } from '../../lib/api-client.ts';
import { forget } from '../../lib/lists.ts';

export const membersPath = (accountId: string): string => `/accounts/${encodeURIComponent(accountId)}/members`;

/** A gateway that was not given its public address answers with a path alone. */
export function inviteLink({ invite: { link } }: z.infer<typeof memberInvited>): string {
  return link.startsWith('/') ? gatewayUrl + link : link;
}

export function useInvite(accountId: string) {
  const client = useQueryClient();
  const path = membersPath(accountId);
  return useMutation({
    mutationFn: (body: object) => callApi('POST', path, { schema: memberInvited, body }),
    onSuccess: () => forget(client, path),
  });
}

/** Of one member: change, invite again, remove. */
export function useMemberActions({ account_id: accountId, id, etag }: Member) {
  const client = useQueryClient();
  const path = membersPath(accountId);
  const own = `${path}/${encodeURIComponent(id)}`;
  const onSuccess = () => forget(client, path);
  return {
    change: useMutation({
      mutationFn: (body: MemberPatch) => callApi('PATCH', own, { schema: member, body, etag }),
      onSuccess,
    }),
    inviteAgain: useMutation({
      mutationFn: () => callApi('POST', `${own}/invite`, { schema: memberInvited, etag }),
      onSuccess,
    }),
    remove: useMutation({ mutationFn: () => callApi('DELETE', own, { schema: z.undefined(), etag }), onSuccess }),
  };
}
