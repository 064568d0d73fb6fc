// A text with elements inside, such as a link or a piece of code: the sentence stays whole, so that each language can
// order it in its own way.
import { createElement, Fragment, type ReactNode } from 'react';
import { pieces, type Values } from './t.ts';

export function rich<const Text extends string>(text: Text, ...[values]: Values<Text, ReactNode>): ReactNode {
  const elements: Record<string, ReactNode> = values ?? {};
  return pieces(text).map((piece, index) =>
    createElement(Fragment, { key: index }, index % 2 === 0 ? piece : elements[piece]),
  );
}
