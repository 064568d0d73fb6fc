// The languages there are, each in its own name, and the time zone that times are shown in: entries of a menu.
import { Menu, Text } from '@mantine/core';
import { language, languages, switchLanguage } from '../i18n/language.ts';
import { t } from '../i18n/t.ts';
import { timeZone } from '../lib/format-time.ts';
import { Icon } from './icon.tsx';

export function LanguageMenuItems() {
  return (
    <>
      <Menu.Label>{t('Language')}</Menu.Label>
      {languages.map(({ code, tag, name }) => (
        <Menu.Item
          key={code}
          lang={tag}
          rightSection={code === language ? <Icon name="check" size={14} /> : undefined}
          onClick={() => switchLanguage(code)}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Label>
        {t('Time zone')}
        <Text size="xs" component="span" display="block">
          {timeZone()}
        </Text>
      </Menu.Label>
    </>
  );
}
