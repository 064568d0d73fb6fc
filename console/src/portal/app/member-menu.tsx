// Which member is signed in: a button that opens the theme, the language and the way out.
import { Text, VisuallyHidden } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { LazyMenu } from '../../components/lazy-menu.tsx';
import { t } from '../../i18n/t.ts';
import { useSession } from '../session.ts';
import { stateLabel } from '../../lib/state-label.ts';

const load = async () => (await import('./member-menu-items.tsx')).MemberMenuItems;

export function MemberMenu() {
  const session = useSession();
  return (
    <LazyMenu
      load={load}
      label={
        <>
          <Icon name="user" size={22} />
          <span>
            <Text size="sm" fw={600} component="span" display="block" className="cut" maw={150}>
              {session?.email}
            </Text>
            <Text size="xs" component="span" display="block">
              {session && stateLabel(session.role)}
            </Text>
            <VisuallyHidden>{t('theme, language and sign-out')}</VisuallyHidden>
          </span>
        </>
      }
    />
  );
}
