// Keys of a list: j and k go down and up its rows, Enter opens one, x chooses it, / goes to the first filter.
import { type RefObject, useEffect } from 'react';

const TYPING = 'input, textarea, select, [contenteditable], [role="dialog"], [role="listbox"], [role="menu"]';

export function useRowKeys(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const list = frame.current;
      if (list === null || event.defaultPrevented || !isCommand(event)) return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      if (act(list, event.key)) event.preventDefault();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [frame]);
}

/** No text is being typed and no other command is meant. */
export function isCommand({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !(target instanceof Element && target.closest(TYPING) !== null);
}

/** False where the key means nothing here. */
function act(list: HTMLElement, key: string): boolean {
  const rows = [...list.querySelectorAll<HTMLElement>('tr[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[at];
  switch (key) {
    case 'j':
      return focusRow(rows[Math.min(at + 1, rows.length - 1)]);
    case 'k':
      return focusRow(rows[Math.max(at - 1, 0)]);
    case 'Enter':
      return row !== undefined && row === document.activeElement && press(row, 'a[href], button');
    case 'x':
      return row !== undefined && press(row, 'input[type="checkbox"]');
    case '/':
      return focusRow(list.querySelector<HTMLElement>('[role="search"] input') ?? undefined);
    default:
      return false;
  }
}

function focusRow(row: HTMLElement | undefined): boolean {
  row?.focus();
  row?.scrollIntoView({ block: 'nearest' });
  return row !== undefined;
}

function press(row: HTMLElement, selector: string): boolean {
  const target = row.querySelector<HTMLElement>(selector);
  target?.click();
  return target !== null;
}
