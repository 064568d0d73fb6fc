// Where notifications are shown, loaded with the first one.
import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../lib/load-part.ts';

const Notifications = lazy(async () => ({
  default: (await loadPart(() => import('./notifications.tsx'))).PageNotifications,
}));

export function LazyNotifications() {
  const { notifications, queue } = useNotifications();
  const [wanted, setWanted] = useState(false);
  // They stay loaded: the last one has to leave as it came.
  if (!wanted && notifications.length + queue.length > 0) setWanted(true);
  return wanted ? (
    <Suspense>
      <Notifications />
    </Suspense>
  ) : null;
}
