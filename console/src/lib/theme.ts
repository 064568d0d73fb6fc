// Colours, type and shape of the console. Contrast is decided here once: dimmed text and light badges stay readable in
// both themes.
import {
  type ActionIconProps,
  type BadgeProps,
  type ButtonProps,
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeComponent,
  type MenuProps,
  type ModalProps,
  type NotificationProps,
  type PaperProps,
  type SelectProps,
  type TableProps,
} from '@mantine/core';
import { t } from '../i18n/t.ts';

const iris: MantineColorsTuple = [
  '#f1f0ff',
  '#dfddff',
  '#bcb8ff',
  '#988fff',
  '#7a6fff',
  '#665afc',
  '#5648f0',
  '#463ad4',
  '#3b31b5',
  '#2f2793',
];

/** Cooler than the library's greys. */
const dark: MantineColorsTuple = [
  '#d5dae4',
  '#b3bac8',
  '#98a1b2',
  '#687286',
  '#3f4859',
  '#303848',
  '#232a38',
  '#181e29',
  '#121721',
  '#0c1018',
];

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 6, dark: 5 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  colors: { iris, dark },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '650' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  components: {
    ActionIcon: always<ActionIconProps>({ variant: 'subtle', color: 'gray' }),
    Badge: always<BadgeProps>({ variant: 'light', radius: 'sm', size: 'md', tt: 'none', fw: 600 }),
    Button: always<ButtonProps>({ size: 'sm' }),
    // The first entry has the focus, not an empty element before it.
    Menu: always<MenuProps>({ withInitialFocusPlaceholder: false }),
    Modal: always<ModalProps>(
      {
        centered: true,
        padding: 'lg',
        closeButtonProps: { 'aria-label': t('Close') },
        transitionProps: { duration: 120 },
      },
      // Padding of the paper would let the fields show above the header that stays in place.
      { content: { padding: 0 }, title: { fontSize: 18, fontWeight: 650 } },
    ),
    Notification: always<NotificationProps>({ closeButtonProps: { 'aria-label': t('Close') } }),
    Paper: always<PaperProps>(
      { withBorder: true, radius: 'md' },
      { root: { padding: 'var(--mantine-spacing-lg)' } }, // as a style, so that dialogs can do without
    ),
    // Letters find an option, Enter takes it and never takes it back, and Tab passes by without opening anything.
    Select: always<SelectProps>({
      searchable: hasKeyboard(),
      openOnFocus: false,
      allowDeselect: false,
      selectFirstOptionOnChange: true,
    }),
    Table: always<TableProps>({ verticalSpacing: 'sm', horizontalSpacing: 'md', highlightOnHover: true }),
  },
});

/** What a component is given everywhere. Its own `extend` would load the component with the theme, before any page needs it. */
function always<Props>(
  defaultProps: Partial<Props>,
  styles?: Record<string, Record<string, string | number>>,
): MantineThemeComponent {
  return { defaultProps, ...(styles !== undefined && { styles }) };
}

/** On phones a search would only bring up the keyboard over the options. */
function hasKeyboard(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(pointer: fine)').matches;
}

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': '#566073',
    '--mantine-color-placeholder': '#6b7487',
    '--mantine-color-error': '#b4232a',
    '--mantine-color-default-border': '#dde1e8',
    '--tollgate-canvas': '#f6f8fb',
    '--tollgate-side': '#fbfcfe',
    '--mantine-color-iris-light-color': '#3b31b5',
    '--mantine-color-green-light-color': '#166534',
    '--mantine-color-red-light-color': '#a11d2b',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-blue-light-color': '#1253a4',
    '--mantine-color-gray-light-color': '#434c5e',
    '--mantine-color-anchor': '#463ad4',
  },
  dark: {
    '--mantine-color-body': '#151b26',
    '--mantine-color-text': '#dfe4ee',
    '--mantine-color-dimmed': '#a3adbf',
    '--mantine-color-placeholder': '#8a94a7',
    '--mantine-color-error': '#ff8f95',
    '--mantine-color-default-border': '#2a3343',
    '--tollgate-canvas': '#0e131c',
    '--tollgate-side': '#121822',
    '--mantine-color-iris-light-color': '#b9b3ff',
    '--mantine-color-green-light-color': '#7ee2a4',
    '--mantine-color-red-light-color': '#ffa3a8',
    '--mantine-color-yellow-light-color': '#ffd479',
    '--mantine-color-blue-light-color': '#93c8ff',
    '--mantine-color-gray-light-color': '#c3cad8',
    '--mantine-color-anchor': '#aaa2ff',
  },
});
