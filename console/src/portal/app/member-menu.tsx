// Which member is signed in: a button that opens the theme, the language and the way out.
import { Text, VisuallyHidden } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { LateMenu } from '../../components/late-menu.tsx';
import { t } from '../../i18n/t.ts';
import { useSession } from '../session.ts';
import { stateWord } from '../../lib/state-words.ts';

const load = async () => (await import('./member-menu-items.tsx')).MemberMenuItems;

export function MemberMenu() {
  const session = useSession();
  return (
    <LateMenu
      load={load}
      label={
        <>
          <Icon name="user" size={22} />
          <span>
            <Text size="sm" fw={600} component="span" display="block" className="cut" maw={150}>
              {session?.email}
            </Text>
            <Text size="xs" component="span" display="block">
              {session && stateWord(session.role)}
            </Text>
            <VisuallyHidden>{t('theme, language and sign-out')}</VisuallyHidden>
          </span>
        </>
      }
    />
  );
}
