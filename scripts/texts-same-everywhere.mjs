// For check-texts.mjs: names that are the same in every language, and files of the console whose texts are code or data.
export const SAME_EVERYWHERE = new Set([
  'Tollgate',
  'Ctrl',
  'req_…',
  'Redis',
  'Slack',
  'English',
  'Bearer',
  'Authorization: Bearer …',
]);

export const WITHOUT_TEXTS = [
  'console/src/features/channels/vendor/vendor-colors.ts',
  'console/src/features/models/work-example.ts', // arithmetic as the gateway writes it
  'console/src/lib/code-samples.ts', // code
  'console/src/lib/code-samples-native.ts',
  'console/src/lib/code-samples-video.ts',
  'console/src/lib/code-text.ts',
  'console/src/lib/theme.ts', // a media query
  'console/src/lib/use-row-keys.ts', // selectors
  'console/src/portal/app/show-icon.ts', // a picture
];
