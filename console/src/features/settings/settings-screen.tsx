// The operator's own session and password, where clients find this gateway, and how it runs.
import { Anchor, Button, Grid, Group, Stack, Text, useMantineColorScheme, SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Facts } from '../../components/facts.tsx';
import { Page } from '../../components/page.tsx';
import { OperatorPasswordForm } from '../../components/operator-password-form.tsx';
import { When } from '../../components/when.tsx';
import { gatewayUrl } from '../../lib/addresses.ts';
import { useSession, useSignOut } from '../../lib/session.ts';
import { ProcessCard } from './process-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
import { SignedInElsewhere } from './signed-in-elsewhere.tsx';

export function SettingsScreen() {
  const session = useSession();
  const signOut = useSignOut();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Page
      title="Settings"
      description="Your sign-in, the look of the console, the addresses of this gateway, and how it runs."
    >
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack>
            <Card title="You">
              <Stack>
                <Facts
                  facts={[
                    ['Name', session?.name ?? ''],
                    ['Role', <StateBadge key="role" state={session?.role ?? ''} />],
                    [
                      'Session ends',
                      typeof session?.expires_at === 'number' ? <When key="ends" at={session.expires_at} exact /> : '—',
                    ],
                  ]}
                />
                <Group>
                  <Button variant="default" onClick={() => signOut.mutate({ everywhere: false })}>
                    Sign out
                  </Button>
                  <Button variant="light" color="red" onClick={() => signOut.mutate({ everywhere: true })}>
                    Sign out everywhere
                  </Button>
                </Group>
              </Stack>
            </Card>
            <Card title="Look">
              <SegmentedControl
                aria-label="Theme"
                value={colorScheme}
                onChange={(value) => setColorScheme(value === 'dark' || value === 'light' ? value : 'auto')}
                data={[
                  { value: 'light', label: 'Light' },
                  { value: 'dark', label: 'Dark' },
                  { value: 'auto', label: 'Like the system' },
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
              <Card title="Change password" description="All your other sessions end.">
                <OperatorPasswordForm
                  submit="Change password"
                  onDone={() => notifications.show({ color: 'green', message: 'Your password is changed.' })}
                />
              </Card>
              <SecondFactorCard />
            </Stack>
          )}
        </Grid.Col>
        <Grid.Col span={12}>
          <Card title="Addresses of this gateway">
            <Stack>
              <CodeBlock text={`${gatewayUrl}/v1`} label="Base address for compatible clients" />
              <Text size="sm" c="dimmed">
                Everything this console does is done through the operator API, described beside the public one at{' '}
                <Anchor href={`${gatewayUrl}/docs`} inherit underline="always">
                  /docs
                </Anchor>
                .
              </Text>
            </Stack>
          </Card>
        </Grid.Col>
        <Grid.Col span={12}>
          <ProcessCard />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
