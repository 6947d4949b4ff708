// Where the dashboard begins in the browser.

import { render } from 'preact';
import { App } from './app.tsx';
import { applyLook } from './base/look.ts';
import './look/base.css';
import './look/parts.css';
import './look/layers.css';
import './look/shell.css';

applyLook();
const root = document.getElementById('app');
if (root) render(<App />, root);
