// Everything around the pages: theme, data, and sign-in. Without a session every address shows the sign-in, and
// then the page that was asked for.
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { LazyNotifications } from '../components/lazy-notifications.tsx';
import { ErrorState, LoadingPage } from '../components/states.tsx';
import { ChangeGivenPassword } from '../features/sign-in/change-given-password.tsx';
import { SignInFrame } from '../features/sign-in/sign-in-frame.tsx';
import { SignInScreen } from '../features/sign-in/sign-in-screen.tsx';
import { watchSignOut } from '../lib/api-client.ts';
import { shouldRetry } from '../lib/should-retry.ts';
import { sessionQuery } from '../lib/session.ts';
import { router } from './router.tsx';
import { cssVariables, theme } from '../lib/theme.ts';

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

const styleNonce = document.querySelector('meta[name="style-nonce"]')?.getAttribute('content') ?? '';

// For the library that keeps the page behind a dialog still: it asks for the nonce by this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemes}
      cssVariablesResolver={cssVariables}
      getStyleNonce={() => styleNonce}
    >
      <QueryClientProvider client={client}>
        <LazyNotifications />
        <Door />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Door() {
  const { data: session, error, isPending, refetch } = useQuery(sessionQuery);
  if (isPending) return <LoadingPage />;
  if (session === undefined) {
    return (
      <SignInFrame title="Tollgate">
        <ErrorState error={error} retry={() => void refetch()} />
      </SignInFrame>
    );
  }
  if (session === null) return <SignInScreen />;
  if (session.must_change_password)
    return <ChangeGivenPassword onDone={() => void router.navigate({ to: '/start' })} />;
  return <RouterProvider router={router} />;
}
