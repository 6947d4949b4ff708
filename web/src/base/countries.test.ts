// The countries to choose from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getCountries } from 'libphonenumber-js/min';
import { countryChoices, countryCodes } from './countries.ts';

test('the countries are those that the API accepts, each once and with a name', () => {
  assert.deepEqual([...countryCodes].sort(), [...getCountries()].sort());
  for (const language of ['en', 'de'] as const)
    for (const { value, label } of countryChoices(language)) assert.notEqual(label, value);
  const [first] = countryChoices('de');
  assert.equal(first?.label, 'Afghanistan');
});
