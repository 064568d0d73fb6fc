// The theme of the portal: the console's, in the operator's colour. Its palette takes the name of the console's own, so
// that every shared component wears it.
import { type CSSVariablesResolver, type MantineColorsTuple, mergeThemeOverrides } from '@mantine/core';
import { brandColor } from '../../lib/brand.ts';
import { cssVariables, theme } from '../../lib/theme.ts';
import { contrast, readableOn, shadesOf } from './shades.ts';

/** Enough for text on a tint of the colour too. */
const READABLE = 6.5;

export const brandFill = brandColor ?? '#5648f0';
/** Of text on the colour. */
export const brandInk = contrast(brandFill, '#ffffff') >= 4.5 ? '#ffffff' : '#000000';

export const portalTheme = mergeThemeOverrides(theme, {
  colors: { iris: shadesOf(brandFill) as unknown as MantineColorsTuple },
  primaryShade: 6,
  luminanceThreshold: 0.18, // the one at which black and white text are equally readable
});

export const portalVariables: CSSVariablesResolver = (resolved) => {
  const { variables, light, dark } = cssVariables(resolved);
  const text = (ground: string) => {
    const color = readableOn(ground, brandFill, READABLE);
    return { '--mantine-color-anchor': color, '--mantine-color-iris-light-color': color };
  };
  return { variables, light: { ...light, ...text('#ffffff') }, dark: { ...dark, ...text('#151b26') } };
};
