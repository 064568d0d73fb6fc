// One side of a conversation: turns with one model, the last of which may still be answered.
import { useEffect, useRef, useState } from 'react';
import { type Answered, streamChat } from '../../lib/gateway-client.ts';
import { type Attachment, chatCall, type ChatSettings, type Turn } from './chat-call.ts';

export interface ShownTurn extends Turn {
  model: string;
  answered?: Answered;
  error?: unknown;
}

export interface Chat {
  turns: ShownTurn[];
  busy: boolean;
  send(
    message: { text: string; files: Attachment[] },
    by: { model: string; settings: ChatSettings; key: string },
  ): Promise<void>;
  stop(): void;
  clear(): void;
}

export function useChat(): Chat {
  const [turns, setTurns] = useState<ShownTurn[]>([]);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  return {
    turns,
    busy,
    stop: () => running.current?.abort(),
    clear() {
      running.current?.abort();
      setTurns([]);
    },
    async send(message, { model, settings, key }) {
      const controller = new AbortController();
      running.current = controller;
      const before = turns.filter(({ error }) => error === undefined);
      let turn: ShownTurn = { ...message, model, answer: '' };
      const show = (part: Partial<ShownTurn>): void => {
        turn = { ...turn, ...part };
        setTurns([...before, turn]);
      };
      show({});
      setBusy(true);
      try {
        const { path, body } = chatCall(model, settings, [...before, turn]);
        const call = { path, body, key, signal: controller.signal };
        const answered = await streamChat(call, (piece) => show({ answer: turn.answer + piece }));
        show({ answered });
      } catch (error) {
        if (!controller.signal.aborted) show({ error });
      } finally {
        if (running.current === controller) setBusy(false);
      }
    },
  };
}

/** Files with their bytes, as messages carry them. */
export async function readFiles(files: readonly File[]): Promise<Attachment[]> {
  return Promise.all(
    files.map(
      (file) =>
        new Promise<Attachment>((resolve, reject) => {
          const reader = new FileReader();
          reader.addEventListener('load', () =>
            resolve({ name: file.name, type: file.type, url: typeof reader.result === 'string' ? reader.result : '' }),
          );
          reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)));
          reader.readAsDataURL(file);
        }),
    ),
  );
}
