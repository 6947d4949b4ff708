// Optional help on the pages: grouped digits, the card's brand, early errors, protection against double clicks, copy
// buttons, times in the customer's time zone. The pages must work without it. Must not send, store or log what is typed. The server decides.
// @ts-nocheck -- a classic browser script; the project's type check knows no document.

function digitsOf(text) {
  return text.replace(/\D/g, '');
}

function brandOf(digits) {
  if (/^4/.test(digits)) return 'Visa';
  if (/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/.test(digits)) return 'Mastercard';
  if (/^3[47]/.test(digits)) return 'American Express';
  if (/^(6011|64[4-9]|65)/.test(digits)) return 'Discover';
  if (/^3(0[0-5]|[689])/.test(digits)) return 'Diners Club';
  if (/^35(2[89]|[3-8])/.test(digits)) return 'JCB';
  if (/^62/.test(digits)) return 'UnionPay';
  return '';
}

// The name in the styles, for the brands that have their own.
const brandKeys = { Visa: 'visa', Mastercard: 'mastercard', 'American Express': 'amex' };

function showBrand(digits) {
  const place = document.getElementById('card-brand');
  const hint = document.getElementById('cc_csc-hint');
  const name = brandOf(digits);
  if (place.textContent === name) return;
  place.textContent = name;
  place.dataset.brand = brandKeys[name] || '';
  const { any, three, four } = hint.dataset;
  hint.textContent = name === '' ? any : name === 'American Express' ? four : three;
}

function groupNumber(text) {
  // A text that is no card number stays as typed, so that the customer can see and correct it.
  if (/[^\d\s-]/.test(text)) return text;
  const digits = digitsOf(text);
  const groups = /^3[47]/.test(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)]
    : digits.match(/\d{1,4}/g) || [];
  return groups.filter(Boolean).join(' ');
}

function groupExpiry(text) {
  if (/[^\d\s/]/.test(text)) return text;
  const parts = text.split('/');
  let month = digitsOf(parts[0]);
  let year = digitsOf(parts.slice(1).join(''));
  // No month starts with 2 to 9, so such a digit is the whole month.
  if (parts.length === 1 ? /^[2-9]/.test(month) : month.length === 1) month = `0${month}`;
  if (month.length > 2) {
    year = month.slice(2) + year;
    month = month.slice(0, 2);
  }
  return year || parts.length > 1 ? `${month}/${year.slice(0, 4)}` : month;
}

function passesLuhn(digits) {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

// The rules are those of the server (processors/card.ts), so that both give the same result.
function expiryProblem(text, now) {
  const iso = /^(20\d\d)-(\d\d)$/.exec(text);
  const plain = /^(\d{1,2}) ?[/.-] ?(\d\d|20\d\d)$|^(\d\d)(\d\d)$/.exec(text);
  if (!iso && !plain) return 'invalid';
  const month = Number(iso ? iso[2] : plain[1] || plain[3]);
  const year = Number(iso ? iso[1] : plain[2] || plain[4]);
  if (month < 1 || month > 12) return 'invalid';
  // A card is valid until the end of its month, in every time zone.
  return Date.UTC(year < 100 ? 2000 + year : year, month, 2) < now.getTime() ? 'expired' : '';
}

/** What is wrong with a field: '' (nothing), 'missing', 'invalid' or 'expired'. */
function problemOf(id, text, number, now) {
  const value = text.trim();
  if (value === '') return 'missing';
  if (id === 'cc_number') {
    const digits = value.replace(/[\s\p{Pd}]/gu, '');
    return /^\d{12,19}$/.test(digits) && passesLuhn(digits) ? '' : 'invalid';
  }
  if (id === 'cc_exp') return expiryProblem(value, now);
  if (id !== 'cc_csc') return '';
  // Without a number, the length is unknown.
  const lengths = number === '' ? /^\d{3,4}$/ : /^3[47]/.test(number) ? /^\d{4}$/ : /^\d{3}$/;
  return lengths.test(value) ? '' : 'invalid';
}

function problemIn(input) {
  const number = digitsOf(document.getElementById('cc_number').value);
  return problemOf(input.id, input.value, number, new Date());
}

function showProblem(input) {
  const problem = problemIn(input);
  const sentence = problem ? input.dataset[problem] || input.dataset.invalid : '';
  const place = document.getElementById(`${input.id}-error`);
  if (place.textContent !== sentence) place.textContent = sentence;
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
  return problem !== '';
}

function rewrite(input, format) {
  const before = input.value;
  const after = format(before);
  if (after === before) return;
  const caret = input.selectionStart;
  input.value = after;
  if (document.activeElement !== input) return;
  // The caret stays behind the same digit. At the end it stays at the end.
  let place = after.length;
  if (caret < before.length) {
    let digits = digitsOf(before.slice(0, caret)).length;
    for (place = 0; digits > 0 && place < after.length; place += 1) {
      if (/\d/.test(after[place])) digits -= 1;
    }
  }
  input.setSelectionRange(place, place);
}

function helpTyping(form) {
  form.addEventListener('input', (event) => {
    const input = event.target;
    const deleting = (event.inputType || '').startsWith('delete');
    if (event.isComposing) return;
    if (input.id === 'cc_number') {
      rewrite(input, groupNumber);
      showBrand(digitsOf(input.value));
    }
    // While the customer deletes, the slash must be deletable.
    if (input.id === 'cc_exp' && !deleting) rewrite(input, groupExpiry);
    // A shown error disappears once it is corrected. A new one waits until the field is left.
    if (input.getAttribute('aria-invalid') && !problemIn(input)) {
      showProblem(input);
    }
  });
}

// An error between pointer down and up would move the button away and lose the click: errors wait until then.
function showEarly(form) {
  let pressed = false;
  const waiting = [];
  const letGo = () => {
    pressed = false;
    setTimeout(() => {
      for (const input of waiting.splice(0)) showProblem(input);
    });
  };
  addEventListener('pointerdown', () => {
    pressed = true;
  });
  addEventListener('pointerup', letGo);
  addEventListener('pointercancel', letGo);
  form.addEventListener('focusout', (event) => {
    const input = event.target;
    if (!input.matches('input[type=text]') || input.value.trim() === '') return;
    if (pressed) waiting.push(input);
    else showProblem(input);
  });
}

/** Whether the customer pays with the card of the form: it is the only method, or it is chosen. */
function isByCard(form) {
  const chosen = form.querySelector('[name=method]:checked');
  return chosen ? chosen.dataset.takes === 'card' : document.getElementById('cc_number') !== null;
}

function guardPress(form) {
  const button = form.querySelector('button');
  const status = form.querySelector('[role=status]');
  let paying = false;
  let warned = false;
  let timer = 0;
  const release = () => {
    clearTimeout(timer);
    paying = false;
    button.disabled = false;
    status.textContent = '';
  };
  form.addEventListener('input', () => {
    warned = false;
  });
  form.addEventListener('submit', (event) => {
    if (paying) return event.preventDefault();
    const inputs = [...form.querySelectorAll('input[type=text]')];
    const wrong = isByCard(form) ? inputs.filter(showProblem) : [];
    // Blocks the form once, so that the error is corrected before the number has to be typed again. If it is
    // pressed again unchanged, it goes to the server, which decides.
    if (wrong.length > 0 && !warned) {
      warned = true;
      wrong[0].focus();
      return event.preventDefault();
    }
    paying = true;
    button.disabled = true;
    status.textContent = isByCard(form) ? status.dataset.busy : status.dataset.leaving;
    // No event reports a load that the user stopped. The button must not stay disabled after it.
    timer = setTimeout(release, 60000);
  });
  addEventListener('pageshow', release);
}

// Back must not show the card number or the security code: both are emptied once the browser has the form data, and
// when the page is left. A browser that stored the fields before that restores them until pageshow, so a page that is
// opened by Back or Reload is emptied then. A page from the bfcache shows an old status, so it is loaded again by GET.
function emptyCard(form) {
  const empty = () => {
    for (const id of ['cc_number', 'cc_csc']) document.getElementById(id).value = '';
    showBrand('');
  };
  form.addEventListener('formdata', ({ formData }) => {
    // A card that was typed before another method was chosen stays here.
    if (!isByCard(form)) for (const field of ['number', 'csc', 'exp', 'name']) formData.delete(`cc_${field}`);
    empty();
  });
  addEventListener('pagehide', empty);
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted || performance.getEntriesByType('navigation')[0].type !== 'navigate') empty();
    if (persisted) location.replace(form.action);
  });
}

// Reloads the page like the meta element does without script, but a hidden tab waits until it is visible.
function refreshSoon(path, seconds) {
  const reload = () => {
    if (document.visibilityState === 'visible') return location.replace(path);
    document.addEventListener('visibilitychange', reload, { once: true });
  };
  setTimeout(reload, seconds * 1000);
}

/** A time in the browser's time zone, in the form in which the server writes UTC (base/format-timestamp.ts). */
function localTime(iso, language, timeZone) {
  const time = new Date(iso);
  const text = new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(time);
  const parts = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset', timeZone }).formatToParts(time);
  const { value } = parts.find(({ type }) => type === 'timeZoneName');
  return `${text} ${value.replace(/^GMT(?:\+0$)?/, 'UTC')}`;
}

// A browser without the language would write English, and an old one does not know the form of the zone: UTC stays.
function showLocalTimes() {
  const language = document.documentElement.lang;
  const times = document.querySelectorAll('time');
  // Loading the data of a language takes long on a phone.
  if (times.length === 0) return;
  try {
    if (Intl.DateTimeFormat.supportedLocalesOf([language]).length === 0) return;
    for (const time of times) time.textContent = localTime(time.dateTime, language);
  } catch {}
}

const countdownSeconds = 600;

// Counts from the time of the server: the clock of the customer may be wrong.
function countDown(place) {
  const left = () => Math.ceil(Number(place.dataset.left) - performance.now() / 1000);
  const spoken = document.getElementById('countdown-status');
  const show = () => {
    const seconds = left();
    place.hidden = seconds > countdownSeconds;
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const sentence = place.dataset.text.replace('{time}', time);
    if (seconds >= 0) place.textContent = sentence;
    // A screen reader says it twice, not each second.
    if (!place.hidden && (spoken.textContent === '' || seconds === 60)) spoken.textContent = sentence;
    // A payment that is under way may end later.
    if (seconds < 0 && !document.querySelector('#pay-button:disabled'))
      return location.replace(location.pathname);
    setTimeout(show, 1000);
  };
  setTimeout(show, Math.max(0, left() - countdownSeconds) * 1000);
}

function helpCopying(button) {
  const status = document.getElementById('copy-status');
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(button.dataset.copy);
    status.textContent = '';
    setTimeout(() => {
      status.textContent = status.dataset.copied;
    });
  });
}

// A phone can't scan its own screen: a banking app on it opens the saved picture.
function helpSaving(button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = document.querySelector('.code').src;
    link.download = button.dataset.file;
    link.click();
  });
}

function start() {
  const form = document.getElementById('pay');
  const alert = document.getElementById('alert');
  const { refresh, seconds } = document.body.dataset;
  if (form) {
    guardPress(form);
    // The page of a decline answers a POST. Reload and Back must get it by GET, and not post the card again.
    history.replaceState(null, '');
  }
  if (document.getElementById('cc_number')) {
    helpTyping(form);
    showEarly(form);
    emptyCard(form);
  }
  const countdown = document.getElementById('countdown');
  if (countdown) countDown(countdown);
  // Browsers offer the clipboard only to pages on https.
  if (navigator.clipboard) for (const button of document.querySelectorAll('[data-copy]')) helpCopying(button);
  const saving = document.getElementById('save-code');
  if (saving) helpSaving(saving);
  if (alert) alert.focus();
  if (refresh) refreshSoon(refresh, Number(seconds));
  showLocalTimes();
}

if (typeof document !== 'undefined') start();
