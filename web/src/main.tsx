// The entry point of the dashboard.

import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './base/theme.ts';
import './look/base.css';
import './look/parts.css';
import './look/layers.css';
import './look/shell.css';

applyTheme();
const root = document.getElementById('app');
if (root) render(<App />, root);
