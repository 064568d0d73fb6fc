// The saved views of a page: choose one, save the filters as they are, remove one.
import { ActionIcon, Button, Group, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../i18n/t.ts';
import { useSavedViews } from '../lib/saved-views.ts';
import { Icon } from './icon.tsx';

interface ViewsMenuProps {
  page: string;
  /** The filters as they are. */
  values: Record<string, string>;
  onChoose(values: Record<string, string>): void;
}

export function ViewsMenu({ page, values, onChoose }: ViewsMenuProps) {
  const { views, save, remove } = useSavedViews(page);
  const [name, setName] = useState('');
  const isFiltered = Object.keys(values).length > 0;
  if (views.length === 0 && !isFiltered) return null;
  return (
    <Menu width={280} position="bottom-end" shadow="md" trapFocus>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<Icon name="filter" size={14} />}>
          {t('Views')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.map((view) => (
          <Group key={view.name} gap={4} wrap="nowrap">
            <Menu.Item flex={1} onClick={() => onChoose(view.values)}>
              {view.name}
            </Menu.Item>
            <ActionIcon
              size="sm"
              aria-label={t('Remove the view {name}', { name: view.name })}
              onClick={() => remove(view.name)}
            >
              <Icon name="trash" size={14} />
            </ActionIcon>
          </Group>
        ))}
        {views.length > 0 && isFiltered && <Menu.Divider />}
        {isFiltered && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() === '') return;
              save({ name: name.trim(), values });
              setName('');
            }}
          >
            <Group gap={6} p={6} wrap="nowrap" align="flex-end">
              <TextInput
                size="xs"
                flex={1}
                label={t('Save these filters as')}
                maxLength={60}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                onKeyDown={(event) => event.key !== 'Escape' && event.stopPropagation()}
              />
              <Button size="xs" type="submit">
                {t('Save view')}
              </Button>
            </Group>
          </form>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
