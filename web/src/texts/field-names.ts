// The names of fields that many screens show, in both languages, to be part of their texts.

export const fieldNames = {
  order: ['Order', 'Bestellung'],
  amount: ['Amount', 'Betrag'],
  currency: ['Currency', 'Währung'],
  status: ['Status', 'Status'],
  customer: ['Customer', 'Kunde'],
  email: ['Email address', 'E-Mail-Adresse'],
  phone: ['Phone', 'Telefon'],
  country: ['Country', 'Land'],
  description: ['Description', 'Beschreibung'],
  created: ['Created', 'Angelegt'],
  expires: ['Expires', 'Läuft ab'],
  mode: ['Mode', 'Modus'],
  name: ['Name', 'Name'],
  roles: ['Roles', 'Rollen'],
  since: ['Since', 'Seit'],
  newLink: ['New payment link', 'Neuer Zahlungslink'],
} as const;
