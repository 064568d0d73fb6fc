// The operator's own session and password, where clients find this gateway, and how it runs.
import { Anchor, Button, Grid, Group, Stack, Text, useMantineColorScheme, SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { rich } from '../../i18n/rich.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page } from '../../components/page.tsx';
import { OperatorPasswordForm } from '../../components/operator-password-form.tsx';
import { When } from '../../components/when.tsx';
import { gatewayUrl } from '../../lib/addresses.ts';
import { useSession, useSignOut } from '../../lib/session.ts';
import { ConfigFilesCard } from './config-files-card.tsx';
import { ExportCard } from './export-card.tsx';
import { ProcessCard } from './process-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SignedInElsewhere } from './signed-in-elsewhere.tsx';

export function SettingsScreen() {
  const session = useSession();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Page
      title={t('Settings')}
      description={t('Your sign-in, the look of the console, the addresses of this gateway, and how it runs.')}
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Card title={t('You')}>
              <Stack>
                <Facts
                  facts={[
                    [t('Name'), session?.name ?? ''],
                    [t('Role'), <StateBadge key="role" state={session?.role ?? ''} />],
                    [
                      t('Session ends'),
                      typeof session?.expires_at === 'number' ? <When key="ends" at={session.expires_at} exact /> : '—',
                    ],
                  ]}
                />
                <Group>
                  <Button variant="default" onClick={() => signOut.mutate({ everywhere: false })}>
                    {t('Sign out')}
                  </Button>
                  <Button variant="light" color="red" onClick={() => signOut.mutate({ everywhere: true })}>
                    {t('Sign out everywhere')}
                  </Button>
                </Group>
              </Stack>
            </Card>
            <Card title={t('Appearance')}>
              <SegmentedControl
                aria-label={t('Theme')}
                value={colorScheme}
                onChange={(value) => setColorScheme(value === 'dark' || value === 'light' ? value : 'auto')}
                data={[
                  { value: 'light', label: t('Light') },
                  { value: 'dark', label: t('Dark') },
                  { value: 'auto', label: t('Like the system') },
                ]}
              />
            </Card>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          {session?.signed_in_by === 'oidc' ? (
            <SignedInElsewhere />
          ) : (
            <Stack>
              <Card title={t('Change password')} description={t('All your other sessions end.')}>
                <OperatorPasswordForm
                  submit={t('Change password')}
                  onDone={() => notifications.show({ color: 'green', message: t('Your password is changed.') })}
                />
              </Card>
              <SecondFactorCard />
            </Stack>
          )}
        </Grid.Col>
        <Grid.Col span={12}>
          <Card title={t('Addresses of this gateway')}>
            <Stack>
              <CodeBlock text={`${gatewayUrl}/v1`} label={t('Base address for compatible clients')} />
              <Text size="sm" c="dimmed">
                {rich(
                  'Everything this console does is done through the operator API, described beside the public one at {link}.',
                  {
                    link: (
                      <Anchor href={`${gatewayUrl}/docs`} inherit underline="always">
                        /docs
                      </Anchor>
                    ),
                  },
                )}
              </Text>
            </Stack>
          </Card>
        </Grid.Col>
        <Grid.Col span={12}>
          <ConfigFilesCard />
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack>
            <ExportCard />
            <ProcessCard />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
