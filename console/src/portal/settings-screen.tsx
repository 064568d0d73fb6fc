// The member: who they are in the account, and the password.
import { Grid, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { portalPasswordChange } from '#contract/portal.ts';
import { StateBadge } from '../components/badges.tsx';
import { Card } from '../components/card.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { Facts } from '../components/facts.tsx';
import { Page } from '../components/page.tsx';
import { PasswordForm } from '../components/password-form.tsx';
import { gatewayUrl } from '../lib/addresses.ts';
import { accountQuery } from './account.ts';
import { useChangePassword, useSession } from './session.ts';

const MEANINGS = {
  owner: 'You see everything of the account and manage all its tokens.',
  member: 'You see everything of the account and manage the tokens that you made.',
  viewer: 'You see everything of the account and change nothing.',
};

export function SettingsScreen() {
  const session = useSession();
  const { data: account } = useQuery(accountQuery);
  const change = useChangePassword();
  return (
    <Page title="Settings">
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Card title="You">
              <Facts
                facts={[
                  ['E-mail address', session?.email],
                  ['Account', account?.name ?? '…'],
                  ['Role', session && <StateBadge key="role" state={session.role} />],
                  ['What you may do', session && MEANINGS[session.role]],
                  ['Models', account?.models?.join(', ') ?? 'Every model'],
                ]}
              />
            </Card>
            <Card title="Base address" description="For clients, together with a token">
              <CodeBlock text={`${gatewayUrl}/v1`} label="Base address" />
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Card title="Change password" description="All your other sessions end.">
            <PasswordForm
              submit="Change password"
              schema={portalPasswordChange}
              least={8}
              change={change.mutateAsync}
              onDone={() => notifications.show({ color: 'green', message: 'Your password is changed.' })}
            />
          </Card>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
