// Light, dark, or like the system: entries of a menu.
import { Menu, type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { t } from '../i18n/t.ts';
import { Icon, type IconName } from './icon.tsx';

const schemes: [MantineColorScheme, string, IconName][] = [
  ['light', t('Light'), 'sun'],
  ['dark', t('Dark'), 'moon'],
  ['auto', t('Like the system'), 'system'],
];

export function ThemeMenuItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>{t('Theme')}</Menu.Label>
      {schemes.map(([scheme, label, icon]) => (
        <Menu.Item
          key={scheme}
          leftSection={<Icon name={icon} size={16} />}
          rightSection={colorScheme === scheme ? <Icon name="check" size={14} /> : undefined}
          onClick={() => setColorScheme(scheme)}
        >
          {label}
        </Menu.Item>
      ))}
    </>
  );
}
