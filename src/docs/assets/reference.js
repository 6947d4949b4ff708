// Adds to the reference: a form that tries each operation, buttons that copy examples, and links that open what they
// lead to. The key is only in its field: this script must not store it, and sends it to this server alone.
// @ts-nocheck -- a classic browser script; the project's type check knows no document.

const byId = (id) => document.getElementById(id);

function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

const fieldValue = (id) => byId(id).value.trim();

// Service keys and API keys name their mode.
function isLive() {
  return [fieldValue('key'), fieldValue('api-key')].some((key) => /pl[sk]_live_/.test(key));
}

function showLiveWarning() {
  const place = byId('live');
  if (!isLive()) return place.replaceChildren();
  if (place.hasChildNodes()) return;
  const consent = make('input', { type: 'checkbox', id: 'live-consent' });
  place.append(
    make('p', {}, 'This is a live key: calls change real payments and move real money.'),
    make('label', {}, consent, ' Send calls with this live key'),
  );
}

function readCredentials() {
  const headers = {};
  const key = fieldValue('key').replace(/^Bearer +/i, '');
  if (key) headers.authorization = `Bearer ${key}`;
  if (fieldValue('api-key')) headers['x-api-key'] = fieldValue('api-key');
  if (fieldValue('company-id')) headers['x-company-id'] = fieldValue('company-id');
  return headers;
}

// The newest link that was created here. Later operations on a payment propose it.
let newestCode = '';

function proposeCode(code) {
  newestCode = code;
  for (const input of document.querySelectorAll('form.try input[data-of="payment"]'))
    if (!input.dataset.edited) input.value = code;
}

function makeParameter(operation, { in: place, name, example = '' }) {
  const id = `try-${operation.querySelector('.inside').id}-${place}-${name}`;
  const isCode = place === 'path' && name === 'code' && operation.dataset.path.startsWith('/v1/payments/');
  const value = isCode && newestCode ? newestCode : example;
  const input = make('input', { type: 'text', id, value, autocomplete: 'off', spellcheck: false });
  Object.assign(input.dataset, { in: place, name, of: isCode ? 'payment' : '' });
  input.addEventListener('input', () => {
    input.dataset.edited = 'true';
  });
  return [make('label', { htmlFor: id }, `${name} (${place})`), input];
}

function makeBody(operation) {
  const { type } = operation.dataset;
  if (!type) return [];
  const id = `try-${operation.querySelector('.inside').id}-body`;
  const example = operation.querySelector('pre[data-body]');
  const value = example ? example.textContent : '';
  const area = make('textarea', {
    id,
    value,
    rows: Math.min(value.split('\n').length + 1, 16),
    spellcheck: false,
    className: 'body',
  });
  return [make('label', { htmlFor: id }, `Body (${type})`), area];
}

function buildForm(operation) {
  if (!operation.dataset.method || operation.querySelector('form.try')) return;
  const parameters = [...operation.querySelectorAll('li[data-in]')].map((item) => item.dataset);
  // Only the outcome is announced, not the whole body.
  const outcome = make('p', {});
  outcome.setAttribute('role', 'status');
  const body = make('div', {});
  const form = make(
    'form',
    { className: 'try', autocomplete: 'off' },
    ...parameters.flatMap((parameter) => makeParameter(operation, parameter)),
    ...makeBody(operation),
    make('button', { type: 'submit' }, 'Send'),
    make('div', { className: 'answer' }, outcome, body),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void tryOperation(operation, { form, outcome, body });
  });
  [...operation.querySelectorAll('.example')].at(-1).after(make('h4', {}, 'Try it'), form);
}

function readRequest(operation, form) {
  const { method, path, type } = operation.dataset;
  const headers = readCredentials();
  const query = new URLSearchParams();
  let filled = path;
  for (const { value, dataset } of form.querySelectorAll('input')) {
    if (dataset.in === 'path') filled = filled.replace(`{${dataset.name}}`, encodeURIComponent(value.trim()));
    else if (value === '') continue;
    else if (dataset.in === 'query') query.append(dataset.name, value);
    else headers[dataset.name] = value;
  }
  const area = form.querySelector('textarea');
  if (area) headers['content-type'] = type;
  const address = filled + (query.size > 0 ? `?${query}` : '');
  return { address, options: { method, headers, ...(area ? { body: area.value } : {}) } };
}

// Why a call is not sent; '' if it may be sent.
function findObstacle(operation, form) {
  if ('secured' in operation.dataset && fieldValue('key') === '') {
    byId('key').focus();
    return 'Enter a key at the top of the page first.';
  }
  if (isLive() && !byId('live-consent').checked) {
    byId('live-consent').focus();
    return 'The key is a live one: confirm at the top of the page that calls may be sent with it.';
  }
  const empty = [...form.querySelectorAll('input[data-in="path"]')].find(({ value }) => value.trim() === '');
  if (empty) {
    empty.focus();
    return `Enter a value for ${empty.dataset.name}.`;
  }
  return '';
}

function printBody(type, text) {
  if (!/json/.test(type)) return text;
  try {
    const value = JSON.parse(text);
    if (value && typeof value.PaymentLinkCode === 'string' && value.PaymentLink)
      proposeCode(value.PaymentLinkCode);
    return JSON.stringify(value, null, 2);
  } catch {
    return text;
  }
}

async function showAnswer({ outcome, body }, response, startedAt) {
  const type = response.headers.get('content-type') || '';
  const isText = type === '' || /json|text|xml|csv/.test(type);
  const text = isText
    ? printBody(type, await response.text())
    : `${type}, ${(await response.blob()).size} bytes`;
  const took = Math.round(performance.now() - startedAt);
  const id = response.headers.get('x-request-id');
  outcome.replaceChildren(
    make('strong', {}, `${response.status} ${response.statusText}`.trim()),
    ` in ${took} ms`,
  );
  body.replaceChildren(
    ...(id ? [make('p', { className: 'kind' }, `Request ID ${id}`)] : []),
    ...(text === '' ? [] : [make('pre', {}, make('code', {}, text))]),
  );
}

async function tryOperation(operation, { form, outcome, body }) {
  // Not a disabled button, which would lose the focus.
  if (form.dataset.busy) return;
  body.replaceChildren();
  outcome.textContent = findObstacle(operation, form);
  if (outcome.textContent) return;
  const { address, options } = readRequest(operation, form);
  const startedAt = performance.now();
  form.dataset.busy = 'true';
  try {
    // Without cookies: only the key decides, and a session in the dashboard stays as it is.
    const response = await fetch(address, {
      ...options,
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    await showAnswer({ outcome, body }, response, startedAt);
  } catch (error) {
    outcome.textContent = `The request failed: ${error.message}`;
  }
  delete form.dataset.busy;
}

function addCopyButtons(operation) {
  if (!navigator.clipboard) return;
  for (const example of operation.querySelectorAll('.example:not(:has(button))')) {
    const button = make('button', { type: 'button', className: 'copy' }, 'Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(example.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    example.append(button);
  }
}

function prepare(operation) {
  buildForm(operation);
  addCopyButtons(operation);
}

// Not every browser opens a closed element that a link leads into.
function openTarget() {
  const target = byId(location.hash.slice(1));
  const closed = target?.closest('details:not([open])');
  if (!closed) return;
  closed.open = true;
  target.scrollIntoView();
}

byId('credentials').hidden = false;
byId('credentials').addEventListener('input', (event) => {
  if (event.target.id !== 'live-consent') showLiveWarning();
});
byId('credentials').addEventListener('submit', (event) => event.preventDefault());
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target.open && target.matches('.operation')) prepare(target);
  },
  true,
);
for (const operation of document.querySelectorAll('.operation[open]')) prepare(operation);
addEventListener('hashchange', openTarget);
openTarget();
