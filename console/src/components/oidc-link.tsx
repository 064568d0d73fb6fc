// The way to the sign-in service, for gateways that have one. A link, because the browser leaves the page.
import { Button, Divider } from '@mantine/core';
import type { SignInWays } from '#contract/oidc.ts';
import { t } from '../i18n/t.ts';
import { writeQuery } from '../lib/api-client.ts';
import { consolePath } from '../lib/addresses.ts';

/** The gateway takes no longer ones. */
const LONGEST_PATH = 1000;

export function OidcLink({ name, start_url: start }: NonNullable<SignInWays['oidc']>) {
  const { pathname, search } = window.location;
  const path = `${pathname.slice(consolePath.length)}${search}`;
  const to = path === '/' || path.length > LONGEST_PATH ? undefined : path;
  return (
    <>
      <Divider label={t('or')} labelPosition="center" my="md" />
      <Button component="a" href={`${start}${writeQuery({ to })}`} variant="default" fullWidth>
        {t('Sign in with {name}', { name })}
      </Button>
    </>
  );
}
