// How the dashboard is built: one page below /dashboard/, scripts and styles as files of their own, so that the
// strict policy holds. Nothing may be put inline into the page, and nothing may be fetched from anywhere else.

import { defineConfig } from 'vite';
import { textsPlugin } from '../scripts/compile-texts.mjs';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  plugins: [textsPlugin()],
  // The texts are parsed at build time.
  resolve: {
    alias: { '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js' },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
