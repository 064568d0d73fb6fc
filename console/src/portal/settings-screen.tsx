// The member: who they are in the account, and the password.
import { Grid, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { portalPasswordChange } from '#contract/portal.ts';
import { t } from '../i18n/t.ts';
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
  owner: t('You see everything of the account and manage all its tokens.'),
  member: t('You see everything of the account and manage the tokens that you made.'),
  viewer: t('You see everything of the account and change nothing.'),
};

export function SettingsScreen() {
  const session = useSession();
  const { data: account } = useQuery(accountQuery);
  const change = useChangePassword();
  return (
    <Page title={t('Settings')}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Card title={t('You')}>
              <Facts
                facts={[
                  [t('E-mail address'), session?.email],
                  [t('Account'), account?.name ?? '…'],
                  [t('Role'), session && <StateBadge key="role" state={session.role} />],
                  [t('What you may do'), session && MEANINGS[session.role]],
                  [t('Models'), account?.models?.join(', ') ?? t('Every model')],
                ]}
              />
            </Card>
            <Card title={t('Base address')} description={t('For clients, together with a token')}>
              <CodeBlock text={`${gatewayUrl}/v1`} label={t('Base address')} />
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          {session?.has_password === false ? (
            <Card title={t('Password')}>
              <Text size="sm">
                {t('You have no password here: you sign in through your sign-in service. Change your password there.')}
              </Text>
            </Card>
          ) : (
            <Card title={t('Change password')} description={t('All your other sessions end.')}>
              <PasswordForm
                submit={t('Change password')}
                schema={portalPasswordChange}
                least={8}
                change={change.mutateAsync}
                onDone={() => notifications.show({ color: 'green', message: t('Your password is changed.') })}
              />
            </Card>
          )}
        </Grid.Col>
      </Grid>
    </Page>
  );
}
