// The entry point of the dashboard.

import { render } from 'preact';
import { App } from './app.tsx';
import { firstLanguage } from './base/languages.ts';
import { applyTheme } from './base/theme.ts';
import { loadTexts } from './texts/texts.ts';
import './look/base.css';
import './look/parts.css';
import './look/layers.css';
import './look/shell.css';

/** What is missing are the texts: only this sentence is in the code. */
const notLoaded = 'The dashboard could not be loaded. Reload the page.';

applyTheme();
const root = document.getElementById('app');
const first = firstLanguage();
if (root)
  loadTexts(first).then(
    () => render(<App first={first} />, root),
    () => root.replaceChildren(notLoaded),
  );
