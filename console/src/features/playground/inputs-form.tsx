// What goes into a call, by its kind.
import { FileInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { t } from '../../i18n/t.ts';
import type { Inputs, Kind } from './kinds.ts';

interface InputsFormProps {
  kind: Kind;
  inputs: Inputs;
  change(part: Partial<Inputs>): void;
  file: File | null;
  setFile(file: File | null): void;
}

export function InputsForm({ kind, inputs, change, file, setFile }: InputsFormProps) {
  const area = (field: 'prompt' | 'lines', label: string, rows: number) => (
    <Textarea
      label={label}
      autosize
      minRows={rows}
      maxRows={14}
      value={inputs[field]}
      onChange={(event) => change({ [field]: event.currentTarget.value })}
    />
  );
  return (
    <Stack>
      {kind.name === 'rerank' && (
        <TextInput
          label={t('Query')}
          value={inputs.prompt}
          onChange={(event) => change({ prompt: event.currentTarget.value })}
        />
      )}
      {(kind.name === 'image' || kind.name === 'speech' || kind.name === 'video') && area('prompt', kind.asks, 3)}
      {(kind.name === 'embeddings' || kind.name === 'rerank') && area('lines', kind.asks, 4)}
      {kind.name === 'image' && (
        <Select
          label={t('Size')}
          allowDeselect={false}
          data={['1024x1024', '1536x1024', '1024x1536']}
          value={inputs.size}
          onChange={(size) => change({ size: size ?? '1024x1024' })}
        />
      )}
      {kind.name === 'speech' && (
        <TextInput
          label={t('Voice')}
          value={inputs.voice}
          onChange={(event) => change({ voice: event.currentTarget.value })}
        />
      )}
      {kind.name === 'video' && (
        <>
          <TextInput
            label={t('Seconds')}
            inputMode="numeric"
            value={inputs.seconds}
            onChange={(event) => change({ seconds: event.currentTarget.value })}
          />
          <TextInput
            label={t('First picture (optional)')}
            description={t('Its address, for models that begin with one')}
            placeholder={t('e.g. {example}', { example: 'https://example.com/picture.png' })}
            value={inputs.reference}
            onChange={(event) => change({ reference: event.currentTarget.value })}
          />
        </>
      )}
      {kind.name === 'transcription' && (
        <FileInput
          label={kind.asks}
          placeholder={t('Choose a sound file')}
          accept="audio/*,video/*"
          clearable
          value={file}
          onChange={setFile}
        />
      )}
    </Stack>
  );
}
