// A dialog with a form in it. Escape, the cross and a click beside it ask first where something was typed.
import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core';
import { type SyntheticEvent, useState } from 'react';
import { t } from '../i18n/t.ts';

/** A choice is made by these, and no field fires an event. */
const CHOSEN = '[role="option"], .mantine-Pill-remove, .mantine-InputClearButton-root';

export function FormModal({ opened, onClose, children, ...modal }: ModalProps) {
  const [isChanged, setChanged] = useState(false);
  const [asking, setAsking] = useState(false);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    setChanged(false);
    setAsking(false);
  }
  const noteChange = () => setChanged(true);
  const noteChoice = ({ target }: SyntheticEvent) => {
    if (target instanceof Element && target.closest(CHOSEN) !== null) noteChange();
  };
  const noteKey = ({ key, target }: SyntheticEvent & { key: string }) => {
    const isOpenList = target instanceof Element && target.getAttribute('aria-expanded') === 'true';
    if (key === 'Enter' && isOpenList) noteChange();
  };
  return (
    <Modal
      opened={opened}
      onClose={() => {
        if (asking) setAsking(false);
        else if (isChanged) setAsking(true);
        else onClose();
      }}
      {...modal}
    >
      {asking && <AskFirst keep={() => setAsking(false)} discard={onClose} />}
      {/* The events of fields and of lists that open from them come up here. */}
      <div onInput={noteChange} onChange={noteChange} onClick={noteChoice} onKeyDown={noteKey} hidden={asking}>
        {children}
      </div>
    </Modal>
  );
}

function AskFirst({ keep, discard }: { keep(): void; discard(): void }) {
  return (
    <Stack role="alertdialog" aria-label={t('Discard your changes?')}>
      <Text>{t('What you typed is not saved. Discard it?')}</Text>
      <Group justify="flex-end">
        <Button variant="default" color="red" onClick={discard}>
          {t('Discard')}
        </Button>
        <Button autoFocus data-autofocus onClick={keep}>
          {t('Keep editing')}
        </Button>
      </Group>
    </Stack>
  );
}
