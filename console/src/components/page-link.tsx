// Links between pages, in the clothes of the component library.
import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithoutRef, Ref } from 'react';

type LinkRef = { ref?: Ref<HTMLAnchorElement> };

function AnchorBase(props: AnchorProps & Omit<ComponentPropsWithoutRef<'a'>, keyof AnchorProps> & LinkRef) {
  return <Anchor size="sm" fw={500} {...props} />;
}

function ButtonBase(props: ButtonProps & Omit<ComponentPropsWithoutRef<'a'>, keyof ButtonProps> & LinkRef) {
  return <Button component="a" {...props} />;
}

export const PageLink = createLink(AnchorBase);
export const PageButton = createLink(ButtonBase);
