// The people of an account who use the portal.
import { Anchor, Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { type Member, memberList } from '#contract/members.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { ListTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { SpentBar } from '../../components/spent-bar.tsx';
import { EmptyState } from '../../components/states.tsx';
import { gatewayUrl } from '../../lib/addresses.ts';
import { usePages } from '../../lib/lists.ts';
import { useMayChange } from '../../lib/session.ts';
import { MemberForm } from './member-form.tsx';
import { inviteLink, membersPath, useInvite, useMemberActions } from './members-api.ts';

const button = { size: 'compact-sm' } as const;

export function MembersCard({ accountId }: { accountId: string }) {
  const mayChange = useMayChange();
  const pages = usePages({ path: membersPath(accountId), schema: memberList, pageSize: 10 });
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<string>();
  const invite = useInvite(accountId);
  return (
    <Card
      title="Members"
      description={
        <>
          They sign in to the{' '}
          <Anchor href={`${gatewayUrl}/portal/`} target="_blank" rel="noreferrer" inherit underline="always">
            portal
          </Anchor>
          , where they see this account and nothing else.
        </>
      }
      flush
      actions={
        mayChange && (
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
            Invite member
          </Button>
        )
      }
    >
      <ListTable
        label="Members"
        pages={pages}
        keyOf={(row) => row.id}
        empty={<EmptyState icon="accounts" title="No members yet" />}
        columns={[
          { header: 'E-mail address', render: (row) => <span className="cut">{row.email}</span> },
          { header: 'Role', render: (row) => <StateBadge state={row.role} /> },
          { header: 'State', render: (row) => <StateBadge state={row.status} /> },
          {
            header: 'Cap',
            wide: true,
            render: (row) =>
              row.cap === null ? (
                'None'
              ) : (
                <SpentBar used={row.cap_used} limit={row.cap.amount} label={`Share of the cap of ${row.email} spent`} />
              ),
          },
          {
            header: 'Actions',
            hideHeader: true,
            align: 'right',
            render: (row) => mayChange && <MemberActions member={row} onLink={setLink} />,
          },
        ]}
      />
      <Modal opened={inviting} onClose={() => setInviting(false)} title="Invite member">
        <MemberForm
          before={undefined}
          cancel={() => setInviting(false)}
          send={async (body) => {
            const made = await invite.mutateAsync(body);
            setInviting(false);
            setLink(inviteLink(made));
          }}
        />
      </Modal>
      <SecretOnce
        title="The invite"
        label="Link"
        notice="This link is shown only now. Anybody who has it can join the account: send it to that person alone."
        hint="It is good for seven days and for one use: the person chooses a password with it."
        secret={link}
        onClose={() => setLink(undefined)}
      />
    </Card>
  );
}

function MemberActions({ member, onLink }: { member: Member; onLink(link: string): void }) {
  const { account_id: accountId, id, email, status } = member;
  const [editing, setEditing] = useState(false);
  const { change, inviteAgain, remove } = useMemberActions(accountId, id);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button variant="default" {...button} onClick={() => setEditing(true)} aria-label={`Change ${email}`}>
        Change
      </Button>
      <ConfirmButton
        label="New invite"
        title={`New invite for ${email}`}
        question={
          status === 'active'
            ? 'Their password ends: they choose a new one with the link that you get.'
            : 'The invite they have ends; you get a new link.'
        }
        confirm="Make a new invite"
        button={button}
        act={async () => onLink(inviteLink(await inviteAgain.mutateAsync()))}
      />
      {status !== 'disabled' && (
        <ConfirmButton
          label="Remove"
          title={`Remove ${email}`}
          question="They are out of the portal at once, and the tokens that they made end. A new invite brings them back, but not their tokens."
          confirm="Remove"
          button={button}
          act={() => remove.mutateAsync()}
        />
      )}
      <Modal opened={editing} onClose={() => setEditing(false)} title={`Change ${email}`}>
        <MemberForm
          before={member}
          cancel={() => setEditing(false)}
          send={async (body) => {
            await change.mutateAsync(body);
            setEditing(false);
          }}
        />
      </Modal>
    </Group>
  );
}
