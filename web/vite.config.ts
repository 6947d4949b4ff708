// How the dashboard is built: one page below /dashboard/, scripts and styles as files of their own, so that the
// strict policy holds. Nothing may be put inline into the page, and nothing may be fetched from anywhere else.

import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
