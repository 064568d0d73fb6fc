// Plays a video in the page, and says what to do where the browser cannot.
import { Anchor, Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from '../i18n/t.ts';
import { Notice } from './states.tsx';

export function VideoPlayer({ source, fileName }: { source: string; fileName: string }) {
  const [broken, setBroken] = useState<string>();
  return (
    <Stack gap="xs">
      {broken === source ? (
        <Notice color="yellow">
          {t(
            'This browser cannot play the video here: its format is not known to it, or the provider keeps it no longer.',
          )}
        </Notice>
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- nobody has captions of what was just made
        <video
          key={source}
          controls
          preload="metadata"
          src={source}
          aria-label={t('The video')}
          className="player"
          onError={() => setBroken(source)}
        />
      )}
      <Anchor href={source} download={fileName} size="sm" style={{ alignSelf: 'flex-start' }}>
        {t('Download the video')}
      </Anchor>
    </Stack>
  );
}
