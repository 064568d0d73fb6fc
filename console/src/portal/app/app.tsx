// Everything around the pages of the portal: theme, data, invites and sign-in.
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { LazyNotifications } from '../../components/lazy-notifications.tsx';
import { ErrorState, LoadingPage } from '../../components/states.tsx';
import { watchSignOut } from '../../lib/api-client.ts';
import { shouldRetry } from '../../lib/should-retry.ts';
import { lazyPage } from '../../lib/lazy-page.ts';
import { namedByPage } from '../../lib/addresses.ts';
import { brandName } from '../../lib/brand.ts';
import { sessionQuery } from '../session.ts';
import { forgetInvite, inviteInAddress } from '../sign-in/invite-in-address.ts';
import { PortalFrame } from '../sign-in/portal-frame.tsx';
import { portalTheme, portalVariables } from './brand-colors.ts';
import { router } from './router.tsx';

// Members who are signed in do not wait for the forms of those who are not.
const AcceptInvite = lazyPage(() => import('../sign-in/accept-invite.tsx'), 'AcceptInvite');
const SignInScreen = lazyPage(() => import('../sign-in/sign-in-screen.tsx'), 'SignInScreen');

const colorSchemes = localStorageColorSchemeManager({ key: 'tollgate-color-scheme' });

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: shouldRetry,
    },
  },
});
watchSignOut(() => client.setQueryData(sessionQuery.queryKey, null));

const styleNonce = namedByPage('style-nonce') ?? '';

// For the library that keeps the page behind a dialog still: it asks for the nonce by this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

export function App() {
  return (
    <MantineProvider
      theme={portalTheme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      cssVariablesResolver={portalVariables}
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={client}>
        <LazyNotifications />
        <Suspense fallback={<LoadingPage />}>
          <Door />
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** An invite comes first, also where somebody else is still signed in. */
function Door() {
  const [invite, setInvite] = useState(inviteInAddress);
  const { data: session, error, isPending, refetch } = useQuery(sessionQuery);
  if (invite !== undefined) {
    const close = () => {
      forgetInvite();
      setInvite(undefined);
    };
    return <AcceptInvite token={invite} onDone={close} />;
  }
  if (isPending) return <LoadingPage />;
  if (session === undefined) {
    return (
      <PortalFrame title={brandName}>
        <ErrorState error={error} retry={() => void refetch()} />
      </PortalFrame>
    );
  }
  return session === null ? <SignInScreen /> : <RouterProvider router={router as never} />;
}
