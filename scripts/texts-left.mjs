// For check-texts.mjs: files of the console that do not put all their texts through t() yet. This list only shrinks.
export const TEXTS_LEFT = [];
