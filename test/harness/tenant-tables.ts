// How tables are isolated by company and mode, and the reason for each exception.

/** Tables without a company, and the roles that can read them. All others are isolated by company. */
export const systemTables = [
  'login_failures',
  'known_clients',
  'passkey_challenges',
  'master_key_checks',
  'database_moves',
  'event_numbers',
  'rate_limits',
  'schema_migrations',
  'payment_word_progress',
  'scheduled_jobs',
  'seal_progress',
];

/** Those that a company can read, because the function that numbers its events does: how far the numbers were raised. */
export const readByCompanies: readonly string[] = ['event_numbers'];

/** The columns of company tables that the system role can read. */
export const systemColumns: Readonly<Record<string, readonly string[]>> = {
  logins: ['account_id', 'company_id', 'email'],
  companies: ['company_id', 'reminder_hours'],
  payments: ['company_id', 'expires_at', 'mode', 'payment_id', 'reminded_at', 'state'],
  payment_word_positions: ['company_id', 'is_filled', 'xact'],
  test_clocks: ['company_id', 'mode', 'moved_at', 'offset_ms', 'target_ms'],
  events: ['at', 'company_id', 'xact'],
  idempotency_keys: ['created_at'],
  attempts: [
    ...['attempt_id', 'company_id', 'connection_id', 'due_at', 'last_error', 'lease_token', 'leased_until'],
    ...['escalated_at', 'mode', 'processor', 'state', 'updated_at'],
  ].sort(),
  refunds: [
    ...[
      'attempt_id',
      'company_id',
      'due_at',
      'escalated_at',
      'kind',
      'last_error',
      'lease_token',
      'leased_until',
      'mode',
      'refund_id',
      'state',
      'target',
    ],
  ],
  bank_lines: [
    ...['company_id', 'due_at', 'last_error', 'lease_token', 'leased_until', 'line_id', 'mode', 'state'],
  ],
  bank_transfers: [
    ...[
      'attempt_id',
      'company_id',
      'due_at',
      'is_unsettled',
      'last_error',
      'lease_token',
      'leased_until',
      'mode',
    ],
  ],
  webhook_deliveries: [
    ...['company_id', 'created_at', 'delivery_id', 'due_at', 'endpoint_id', 'leased_until', 'mode', 'state'],
  ],
  webhook_endpoints: ['company_id', 'endpoint_id', 'failing_since', 'is_enabled', 'mode'],
  mails: ['company_id', 'due_at', 'ended_at', 'leased_until', 'mail_id', 'mode', 'state'],
  connections: ['company_id', 'deleted_at', 'is_enabled', 'mode', 'open_until', 'processor'],
  processor_cases: ['closed_at', 'code', 'company_id'],
  processor_notices: ['received_at'],
  api_requests: ['at'],
  browser_sessions: ['seen_at'],
  password_resets: ['created_at'],
};

/** Tables with rows of a mode, and rows about the company itself whose mode is null. */
export const mixedTables = ['events', 'mails'];

/** Keys without the mode. Their IDs are random and never chosen by a merchant. */
export const keysWithoutMode = [
  // Rows about the company have no mode, and a primary key allows no null.
  'events_pkey',
  'mails_pkey',
  'mails_company_id_event_id_kind_key',
];

/** Company tables without a mode, and the reason. */
export const withoutMode: Readonly<Record<string, string>> = {
  accounts: 'a person works in both modes',
  api_keys: 'keys belong to the company; a login hands out a key of either mode',
  browser_sessions: 'a cookie is good for both modes; each call names one',
  companies: 'the company itself',
  company_logos: 'a company has one logo for both modes',
  event_seals: 'one chain proves the events of both modes',
  invitations: 'they make a member, who works in both modes',
  logins: 'the directory by which a login finds its company',
  payment_word_positions: 'it follows the events of both modes',
  passkeys: 'they belong to an account',
  password_resets: 'they belong to an account',
  recovery_codes: 'they belong to an account',
  service_keys: 'keys belong to the company; each is of one mode',
  sessions: 'they belong to an account',
  totp_secrets: 'they belong to an account',
};
