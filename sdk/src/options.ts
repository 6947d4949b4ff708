// Checks the options of a client before anything is sent: each error names the option and the remedy. Must
// not: put a value into a message, because a password may be in the wrong place.

import { PaylinkError } from './errors.ts';

const known = [
  'baseUrl',
  'email',
  'password',
  'mode',
  'apiKey',
  'credentials',
  'serviceKey',
  'fetch',
  'timeoutMs',
  'deadlineMs',
  'maxRetries',
];
const credentialNames = ['token', 'apiKey', 'companyId'] as const;

const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

function throwInvalidOption(message: string): never {
  throw new PaylinkError('invalid_option', message);
}

function checkText(value: unknown, name: string, what: string): void {
  if (value === undefined || value === null) throwInvalidOption(`The option ${name} is missing: ${what}.`);
  if (typeof value !== 'string') throwInvalidOption(`The option ${name} must be a string: ${what}.`);
  if (value.trim() === '') throwInvalidOption(`The option ${name} is empty: ${what}.`);
}

/** Throws a `PaylinkError` with the code `invalid_option` unless the options are complete and known. */
export function checkOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null)
    throwInvalidOption('createPaylink needs an object of options: baseUrl and serviceKey.');
  const given = options as Record<string, unknown>;
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const meant = known.find((one) => letters(one) === letters(name));
    const names = known.join(', ');
    throwInvalidOption(
      `There is no option ${name}. ${meant ? `Did you mean ${meant}?` : `The options are ${names}.`}`,
    );
  }
  if (given.fetch !== undefined && typeof given.fetch !== 'function')
    throwInvalidOption('The option fetch must be a function.');
  if (given.serviceKey !== undefined) checkServiceKey(given);
  else if (given.credentials === undefined) checkLogin(given);
  else checkCredentials(given);
}

function checkLogin({ email, password, mode, apiKey }: Record<string, unknown>): void {
  if (email === undefined && password === undefined)
    throwInvalidOption(
      'Give a serviceKey, email and password of an account, or the credentials of a login that you made.',
    );
  checkText(email, 'email', 'the address of the account');
  checkText(password, 'password', 'the password of the account');
  if (mode !== undefined && mode !== 'test' && mode !== 'live')
    throwInvalidOption('The option mode must be test or live; without it, the setting of the company holds.');
  if (apiKey !== undefined) checkText(apiKey, 'apiKey', 'an API key of an earlier login of the account');
}

const serviceKeyForm = /^pls_(?:test|live)_([0-9a-z]{8})[0-9a-z]{8}_[0-9a-f]{64}$/;

function checkServiceKey({ serviceKey, ...others }: Record<string, unknown>): void {
  const what = 'a service key of the company, pls_test_… or pls_live_…';
  checkText(serviceKey, 'serviceKey', what);
  for (const name of ['email', 'password', 'mode', 'apiKey', 'credentials'])
    if (others[name] !== undefined)
      throwInvalidOption(`Give either serviceKey or ${name}, not both: a service key stands alone.`);
  if (!serviceKeyForm.test(serviceKey as string))
    throwInvalidOption(`The option serviceKey is not a complete service key. It must be ${what}.`);
}

/** The company that a service key names. */
export function companyOfServiceKey(serviceKey: string): string {
  return `co_${serviceKeyForm.exec(serviceKey)?.[1]}`;
}

function checkCredentials({ credentials, ...others }: Record<string, unknown>): void {
  if (typeof credentials !== 'object' || credentials === null)
    throwInvalidOption('The option credentials must be an object with token, apiKey and companyId.');
  for (const name of ['email', 'password', 'mode', 'apiKey'])
    if (others[name] !== undefined) throwInvalidOption(`Give either credentials or ${name}, not both.`);
  for (const name of credentialNames)
    checkText((credentials as Record<string, unknown>)[name], `credentials.${name}`, 'a value of the login');
}

/**
 * The service's own address: without trailing slashes, and without the `/v1` with which the API's paths
 * begin. Throws a `PaylinkError` for an invalid address.
 */
export function readBaseUrl(baseUrl: unknown): string {
  const form = 'the address of the service, such as https://pay.example.com';
  if (!(baseUrl instanceof URL)) checkText(baseUrl, 'baseUrl', form);
  let url: URL;
  try {
    url = new URL(String(baseUrl).trim());
  } catch {
    throwInvalidOption(`The option baseUrl is not a web address. It must be ${form}.`);
  }
  if (!/^https?:$/.test(url.protocol))
    throwInvalidOption(`The option baseUrl must begin with http:// or https://. It must be ${form}.`);
  if (url.username || url.password || url.search || url.hash)
    throwInvalidOption(`The option baseUrl must have no user name, query or fragment. It must be ${form}.`);
  return url.href.replace(/\/+$/, '').replace(/\/+v1$/, '');
}
