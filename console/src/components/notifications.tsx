// Notifications at the edge of the page.
import { Notifications } from '@mantine/notifications';

export function PageNotifications() {
  return <Notifications position="top-right" />;
}
