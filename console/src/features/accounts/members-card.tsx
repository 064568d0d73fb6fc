// The people of an account who use the portal.
import { Anchor, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { type Member, memberList } from '#contract/members.ts';
import { rich } from '../../i18n/rich.ts';
import { t } from '../../i18n/t.ts';
import { FormModal } from '../../components/form-modal.tsx';
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
      title={t('Members')}
      description={
        <>
          {rich('They sign in to the {link}, where they see this account and nothing else.', {
            link: (
              <Anchor href={`${gatewayUrl}/portal/`} target="_blank" rel="noreferrer" inherit underline="always">
                {t('portal')}
              </Anchor>
            ),
          })}
        </>
      }
      flush
      actions={
        mayChange && (
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
            {t('Invite member')}
          </Button>
        )
      }
    >
      <ListTable
        label={t('Members')}
        pages={pages}
        keyOf={(row) => row.id}
        empty={<EmptyState icon="accounts" title={t('No members yet')} />}
        columns={[
          {
            header: t('E-mail address'),
            render: ({ email, identity }) => (
              <>
                <span className="cut">{email}</span>
                {identity !== null && (
                  <Text size="xs" c="dimmed" title={identity.subject}>
                    {t('Signs in with {name}', { name: URL.parse(identity.issuer)?.host ?? identity.issuer })}
                  </Text>
                )}
              </>
            ),
          },
          { header: t('Role'), render: (row) => <StateBadge state={row.role} /> },
          { header: t('State'), render: (row) => <StateBadge state={row.status} /> },
          {
            header: t('Cap'),
            wide: true,
            render: (row) =>
              row.cap === null ? (
                t('None')
              ) : (
                <SpentBar
                  used={row.cap_used}
                  limit={row.cap.amount}
                  label={t('Share of the cap of {email} spent', { email: row.email })}
                />
              ),
          },
          {
            header: t('Actions'),
            hideHeader: true,
            align: 'right',
            render: (row) => mayChange && <MemberActions member={row} onLink={setLink} />,
          },
        ]}
      />
      <FormModal opened={inviting} onClose={() => setInviting(false)} title={t('Invite member')}>
        <MemberForm
          before={undefined}
          cancel={() => setInviting(false)}
          send={async (body) => {
            const made = await invite.mutateAsync(body);
            setInviting(false);
            setLink(inviteLink(made));
          }}
        />
      </FormModal>
      <SecretOnce
        title={t('The invite')}
        label={t('Link')}
        notice={t(
          'This link is shown only now. Anybody who has it can join the account: send it to that person alone.',
        )}
        hint={t('It is good for seven days and for one use: the person chooses a password with it.')}
        secret={link}
        onClose={() => setLink(undefined)}
      />
    </Card>
  );
}

function MemberActions({ member, onLink }: { member: Member; onLink(link: string): void }) {
  const { email, status } = member;
  const [editing, setEditing] = useState(false);
  const { change, inviteAgain, remove } = useMemberActions(member);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        variant="default"
        {...button}
        onClick={() => setEditing(true)}
        aria-label={t('Change {email}', { email })}
      >
        {t('Change')}
      </Button>
      <ConfirmButton
        label={t('New invite')}
        title={t('New invite for {email}', { email })}
        question={
          status === 'active'
            ? t(
                'Their password and their binding to a sign-in service end: they choose again with the link that you get.',
              )
            : t('The invite they have ends; you get a new link.')
        }
        confirm={t('Make a new invite')}
        button={button}
        act={async () => onLink(inviteLink(await inviteAgain.mutateAsync()))}
      />
      {status !== 'disabled' && (
        <ConfirmButton
          label={t('Remove')}
          title={t('Remove {email}', { email })}
          question={t(
            'They are out of the portal at once, and the tokens that they made end. A new invite brings them back, but not their tokens.',
          )}
          confirm={t('Remove')}
          button={button}
          act={() => remove.mutateAsync()}
        />
      )}
      <FormModal opened={editing} onClose={() => setEditing(false)} title={t('Change {email}', { email })}>
        <MemberForm
          before={member}
          cancel={() => setEditing(false)}
          send={async (body) => {
            await change.mutateAsync(body);
            setEditing(false);
          }}
        />
      </FormModal>
    </Group>
  );
}
